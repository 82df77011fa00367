;; The scoring kernel of the vector index, in 128-bit SIMD. layout.ts says how the memory is laid out;
;; javascript-kernel.ts does the same in plain JavaScript. `npm run build` assembles this file to kernel.wasm.
;;
;; The matrix is a run of blocks of 256 rows. A block holds 256 * $dims signed bytes (the coarse ones of its rows), as
;; many fine ones, and 256 floats, the units of its rows: a number is (254 * coarse + fine) * unit. $dims is a multiple of
;; 32.
(module
  (import "env" "memory" (memory 1 65536 shared))

  ;; The address of a row's coarse bytes; its fine ones follow 256 * $dims bytes later.
  (func $coarse (param $matrix i32) (param $dims i32) (param $row i32) (result i32)
    (i32.add
      (call $block (local.get $matrix) (local.get $dims) (local.get $row))
      (i32.mul (i32.and (local.get $row) (i32.const 255)) (local.get $dims))))

  ;; The address of a row's unit, after the 512 * $dims bytes of the block's rows.
  (func $unit (param $matrix i32) (param $dims i32) (param $row i32) (result i32)
    (i32.add
      (i32.add
        (call $block (local.get $matrix) (local.get $dims) (local.get $row))
        (i32.shl (local.get $dims) (i32.const 9)))
      (i32.shl (i32.and (local.get $row) (i32.const 255)) (i32.const 2))))

  (func $block (param $matrix i32) (param $dims i32) (param $row i32) (result i32)
    (i32.add
      (local.get $matrix)
      (i32.mul
        (i32.shr_u (local.get $row) (i32.const 8))
        (call $bytes (local.get $dims)))))

  ;; The length of a block: 256 rows of 2 * $dims + 4 bytes.
  (func $bytes (param $dims i32) (result i32)
    (i32.shl (i32.add (i32.shl (local.get $dims) (i32.const 1)) (i32.const 4)) (i32.const 8)))

  ;; Eight numbers of a row, as 16-bit integers.
  (func $numbers (param $coarse i32) (param $fine i32) (result v128)
    (i16x8.add
      (i16x8.mul (v128.load8x8_s (local.get $coarse)) (v128.const i16x8 254 254 254 254 254 254 254 254))
      (v128.load8x8_s (local.get $fine))))

  (func $sum_f32 (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  ;; Dot products of the query's floats with the rows that a list of $count (at least 1) row numbers names.
  (func (export "scanFine")
    (param $matrix i32) (param $dims i32) (param $query i32) (param $list i32) (param $count i32) (param $out i32)
    (local $stop i32) (local $row i32) (local $a i32) (local $f i32) (local $b i32) (local $end i32)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128) (local $v v128) (local $w v128)
    (local.set $stop (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (loop $rows
      (local.set $row (i32.load (local.get $list)))
      (local.set $a (call $coarse (local.get $matrix) (local.get $dims) (local.get $row)))
      (local.set $f (i32.add (local.get $a) (i32.shl (local.get $dims) (i32.const 8))))
      (local.set $b (local.get $query))
      (local.set $end (i32.add (local.get $b) (i32.shl (local.get $dims) (i32.const 2))))
      (local.set $s0 (v128.const i32x4 0 0 0 0))
      (local.set $s1 (v128.const i32x4 0 0 0 0))
      (local.set $s2 (v128.const i32x4 0 0 0 0))
      (local.set $s3 (v128.const i32x4 0 0 0 0))
      ;; four independent sums hide the latency of the additions
      (loop $columns
        (local.set $v (call $numbers (local.get $a) (local.get $f)))
        (local.set $w
          (call $numbers (i32.add (local.get $a) (i32.const 8)) (i32.add (local.get $f) (i32.const 8))))
        (local.set $s0 (f32x4.add (local.get $s0)
          (f32x4.mul
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $v)))
            (v128.load (local.get $b)))))
        (local.set $s1 (f32x4.add (local.get $s1)
          (f32x4.mul
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $v)))
            (v128.load offset=16 (local.get $b)))))
        (local.set $s2 (f32x4.add (local.get $s2)
          (f32x4.mul
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $w)))
            (v128.load offset=32 (local.get $b)))))
        (local.set $s3 (f32x4.add (local.get $s3)
          (f32x4.mul
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $w)))
            (v128.load offset=48 (local.get $b)))))
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (local.set $f (i32.add (local.get $f) (i32.const 16)))
        (br_if $columns
          (i32.lt_u (local.tee $b (i32.add (local.get $b) (i32.const 64))) (local.get $end))))
      (f32.store (local.get $out)
        (f32.mul
          (f32.load (call $unit (local.get $matrix) (local.get $dims) (local.get $row)))
          (call $sum_f32
            (f32x4.add
              (f32x4.add (local.get $s0) (local.get $s1))
              (f32x4.add (local.get $s2) (local.get $s3))))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $rows
        (i32.lt_u (local.tee $list (i32.add (local.get $list) (i32.const 4))) (local.get $stop)))))

  ;; The same with the rows' coarse bytes, and the query as 16-bit integers of at most 2047, so that a sum of 8,192 products
  ;; fits 32 bits; a product of two steps is worth $factor. Keeps the rows whose score is at least $least: their numbers at the begin
  ;; of the list, their scores at $out; returns how many. Adds all scores to the 64-bit float at $sums, and their squares
  ;; to the next. The addresses are found without the functions above: calls would cost a short row a good part of its
  ;; time.
  (func (export "scanCoarse")
    (param $matrix i32) (param $dims i32) (param $query i32) (param $list i32) (param $count i32)
    (param $out i32) (param $sums i32) (param $factor f32) (param $least f32) (result i32)
    (local $kept i32) (local $sum f64) (local $squares f64) (local $score f32) (local $wide f64) (local $place i32) (local $first i32)
    (local $stop i32) (local $row i32) (local $block i32) (local $bytes i32) (local $units i32)
    (local $a i32) (local $b i32) (local $end i32)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $stop (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $first (local.get $list))
    (local.set $kept (local.get $list))
    (local.set $units (i32.shl (local.get $dims) (i32.const 9)))
    (local.set $bytes (call $bytes (local.get $dims)))
    (local.set $end (i32.add (local.get $query) (i32.shl (local.get $dims) (i32.const 1))))
    (loop $rows
      (local.set $row (i32.load (local.get $list)))
      (local.set $block
        (i32.add
          (local.get $matrix)
          (i32.mul (i32.shr_u (local.get $row) (i32.const 8)) (local.get $bytes))))
      (local.set $place (i32.and (local.get $row) (i32.const 255)))
      (local.set $a
        (i32.add (local.get $block) (i32.mul (local.get $place) (local.get $dims))))
      (local.set $b (local.get $query))
      (local.set $s0 (v128.const i32x4 0 0 0 0))
      (local.set $s1 (v128.const i32x4 0 0 0 0))
      (local.set $s2 (v128.const i32x4 0 0 0 0))
      (local.set $s3 (v128.const i32x4 0 0 0 0))
      (loop $columns
        (local.set $s0 (i32x4.add (local.get $s0)
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $a)) (v128.load (local.get $b)))))
        (local.set $s1 (i32x4.add (local.get $s1)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $a)) (v128.load offset=16 (local.get $b)))))
        (local.set $s2 (i32x4.add (local.get $s2)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=16 (local.get $a)) (v128.load offset=32 (local.get $b)))))
        (local.set $s3 (i32x4.add (local.get $s3)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=24 (local.get $a)) (v128.load offset=48 (local.get $b)))))
        (local.set $a (i32.add (local.get $a) (i32.const 32)))
        (br_if $columns
          (i32.lt_u (local.tee $b (i32.add (local.get $b) (i32.const 64))) (local.get $end))))
      (local.set $s0
        (i32x4.add
          (i32x4.add (local.get $s0) (local.get $s1))
          (i32x4.add (local.get $s2) (local.get $s3))))
      (local.set $s0
        (i32x4.add (local.get $s0) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $s0) (local.get $s0))))
      (local.set $score
        (f32.mul
          (f32.mul
            (local.get $factor)
            (f32.load
              (i32.add
                (i32.add (local.get $block) (local.get $units))
                (i32.shl (local.get $place) (i32.const 2)))))
          (f32.convert_i32_s
            (i32.add
              (i32x4.extract_lane 0 (local.get $s0))
              (i32x4.extract_lane 1 (local.get $s0))))))
      (local.set $wide (f64.promote_f32 (local.get $score)))
      (local.set $sum (f64.add (local.get $sum) (local.get $wide)))
      (local.set $squares (f64.add (local.get $squares) (f64.mul (local.get $wide) (local.get $wide))))
      (if (f32.ge (local.get $score) (local.get $least))
        (then
          (i32.store (local.get $kept) (local.get $row))
          (f32.store (local.get $out) (local.get $score))
          (local.set $kept (i32.add (local.get $kept) (i32.const 4)))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))))
      (br_if $rows
        (i32.lt_u (local.tee $list (i32.add (local.get $list) (i32.const 4))) (local.get $stop))))
    (f64.store (local.get $sums) (f64.add (f64.load (local.get $sums)) (local.get $sum)))
    (f64.store offset=8 (local.get $sums) (f64.add (f64.load offset=8 (local.get $sums)) (local.get $squares)))
    (i32.shr_u (i32.sub (local.get $kept) (local.get $first)) (i32.const 2)))

  ;; Writes the floats at $floats as a row of length 1. Returns the length that they had: 0 for an all-zero row; not
  ;; finite if any number is not, or if the squares overflow.
  (func (export "seal") (param $matrix i32) (param $dims i32) (param $floats i32) (param $row i32) (result f32)
    (local $from i32) (local $end i32) (local $to i32) (local $sum v128) (local $largest v128) (local $v v128)
    (local $length f32) (local $step f32) (local $factor v128) (local $round v128) (local $c v128) (local $fine i32)
    (local.set $from (local.get $floats))
    (local.set $end (i32.add (local.get $from) (i32.shl (local.get $dims) (i32.const 2))))
    (loop $columns
      (local.set $v (v128.load (local.get $from)))
      (local.set $sum (f32x4.add (local.get $sum) (f32x4.mul (local.get $v) (local.get $v))))
      (local.set $largest (f32x4.pmax (local.get $largest) (f32x4.abs (local.get $v))))
      (br_if $columns
        (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 16))) (local.get $end))))
    (local.set $length (f32.sqrt (call $sum_f32 (local.get $sum))))
    (local.set $step
      (f32.div
        (f32.max
          (f32.max (f32x4.extract_lane 0 (local.get $largest)) (f32x4.extract_lane 1 (local.get $largest)))
          (f32.max (f32x4.extract_lane 2 (local.get $largest)) (f32x4.extract_lane 3 (local.get $largest))))
        (f32.const 127)))
    ;; a row of zeros: dividing by 1 leaves it as it is
    (if (f32.eq (local.get $step) (f32.const 0)) (then (local.set $step (f32.const 1))))
    (local.set $from (local.get $floats))
    (local.set $to (call $coarse (local.get $matrix) (local.get $dims) (local.get $row)))
    (local.set $fine (i32.add (local.get $to) (i32.shl (local.get $dims) (i32.const 8))))
    (local.set $factor (f32x4.splat (f32.div (f32.const 1) (local.get $step))))
    ;; adding 1.5 * 2^23 leaves the nearest integer in a float's low bits: a third of what nearest and trunc_sat cost
    (local.set $round (v128.const f32x4 12582912 12582912 12582912 12582912))
    (loop $columns
      (local.set $v (f32x4.mul (v128.load (local.get $from)) (local.get $factor)))
      (local.set $c (f32x4.sub (f32x4.add (local.get $v) (local.get $round)) (local.get $round)))
      (v128.store32_lane 0 (local.get $to)
        (call $bytes_of (f32x4.add (local.get $c) (local.get $round)) (local.get $round)))
      ;; what is left of each, in 254ths of a coarse step
      (v128.store32_lane 0 (local.get $fine)
        (call $bytes_of
          (f32x4.add
            (f32x4.mul
              (f32x4.sub (local.get $v) (local.get $c))
              (v128.const f32x4 254 254 254 254))
            (local.get $round))
          (local.get $round)))
      (local.set $to (i32.add (local.get $to) (i32.const 4)))
      (local.set $fine (i32.add (local.get $fine) (i32.const 4)))
      (br_if $columns
        (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 16))) (local.get $end))))
    (f32.store
      (call $unit (local.get $matrix) (local.get $dims) (local.get $row))
      (if (result f32) (f32.eq (local.get $length) (f32.const 0))
        (then (f32.const 0))
        (else (f32.div (f32.div (local.get $step) (f32.const 254)) (local.get $length)))))
    (local.get $length))

  ;; Four rounded floats (see $round) as four bytes in the first lane.
  (func $bytes_of (param $rounded v128) (param $round v128) (result v128)
    (local $integers v128)
    (local.set $integers (i32x4.sub (local.get $rounded) (local.get $round)))
    (local.set $integers (i16x8.narrow_i32x4_s (local.get $integers) (local.get $integers)))
    (i8x16.narrow_i16x8_s (local.get $integers) (local.get $integers))))
