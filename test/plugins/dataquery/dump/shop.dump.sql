--
-- PostgreSQL database dump
--

\restrict token

-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: auth; Type: SCHEMA; Schema: -; Owner: postgres
--

CREATE SCHEMA auth;


ALTER SCHEMA auth OWNER TO postgres;

--
-- Name: private; Type: SCHEMA; Schema: -; Owner: postgres
--

CREATE SCHEMA private;


ALTER SCHEMA private OWNER TO postgres;

--
-- Name: pgcrypto; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS pgcrypto WITH SCHEMA public;


--
-- Name: EXTENSION pgcrypto; Type: COMMENT; Schema: -; Owner: 
--

COMMENT ON EXTENSION pgcrypto IS 'cryptographic functions';


--
-- Name: pair; Type: TYPE; Schema: public; Owner: postgres
--

CREATE TYPE public.pair AS (
	a integer,
	b integer
);


ALTER TYPE public.pair OWNER TO postgres;

--
-- Name: rating; Type: TYPE; Schema: public; Owner: postgres
--

CREATE TYPE public.rating AS ENUM (
    'G',
    'PG',
    'R',
    'it''s'
);


ALTER TYPE public.rating OWNER TO postgres;

--
-- Name: year; Type: DOMAIN; Schema: public; Owner: postgres
--

CREATE DOMAIN public.year AS integer
	CONSTRAINT year_check CHECK (((VALUE >= 1901) AND (VALUE <= 2155)));


ALTER DOMAIN public.year OWNER TO postgres;

--
-- Name: jwt(); Type: FUNCTION; Schema: auth; Owner: postgres
--

CREATE FUNCTION auth.jwt() RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$ select current_setting('request.jwt.claims', true)::jsonb $$;


ALTER FUNCTION auth.jwt() OWNER TO postgres;

--
-- Name: role(); Type: FUNCTION; Schema: auth; Owner: postgres
--

CREATE FUNCTION auth.role() RETURNS text
    LANGUAGE sql STABLE
    AS $$ select auth.jwt() ->> 'role' $$;


ALTER FUNCTION auth.role() OWNER TO postgres;

--
-- Name: uid(); Type: FUNCTION; Schema: auth; Owner: postgres
--

CREATE FUNCTION auth.uid() RETURNS text
    LANGUAGE sql STABLE
    AS $$ select current_setting('request.jwt.claims', true)::json ->> 'sub' $$;


ALTER FUNCTION auth.uid() OWNER TO postgres;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: films; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.films (
    id integer NOT NULL,
    title character varying(120) NOT NULL,
    slug text,
    year public.year,
    rating public.rating DEFAULT 'G'::public.rating,
    price numeric(6,2) DEFAULT 4.99 NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    ratings public.rating[],
    meta jsonb DEFAULT '{"a": 1}'::jsonb,
    released timestamp with time zone DEFAULT now(),
    updated timestamp without time zone DEFAULT CURRENT_TIMESTAMP,
    day date DEFAULT CURRENT_DATE,
    uid uuid DEFAULT gen_random_uuid() NOT NULL,
    minutes smallint DEFAULT 90,
    stars double precision DEFAULT '-1.5'::numeric,
    addr inet,
    active boolean DEFAULT true,
    wait interval,
    label text DEFAULT ('x'::text || 'y'::text),
    title_length integer GENERATED ALWAYS AS (length((title)::text)) STORED,
    director_id integer,
    secret_id integer,
    CONSTRAINT films_len CHECK ((length((title)::text) < 100)),
    CONSTRAINT films_minmax CHECK (((price)::double precision < stars)),
    CONSTRAINT films_minutes_check CHECK ((((minutes >= 1) AND (minutes <= 500)) OR (minutes IS NULL))),
    CONSTRAINT films_price_check CHECK (((price > (0)::numeric) AND (price < (1000)::numeric))),
    CONSTRAINT films_rating_check CHECK ((rating = ANY (ARRAY['G'::public.rating, 'PG'::public.rating]))),
    CONSTRAINT films_slug_check CHECK (((slug ~ '^[a-z]+$'::text) OR (NOT active))),
    CONSTRAINT films_tags_check CHECK ((tags <@ '{a,"b, c"}'::text[])),
    CONSTRAINT films_title_check CHECK ((((title)::text <> ''::text) AND ((title)::text !~~ '%  %'::text)))
);


ALTER TABLE public.films OWNER TO postgres;

--
-- Name: TABLE films; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON TABLE public.films IS 'What is shown';


--
-- Name: COLUMN films.title; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON COLUMN public.films.title IS 'As on the poster';


--
-- Name: films_between(integer, integer); Type: FUNCTION; Schema: public; Owner: postgres
--

CREATE FUNCTION public.films_between(a integer, b integer) RETURNS SETOF public.films
    LANGUAGE sql STABLE
    AS $$ select * from public.films where year between a and b $$;


ALTER FUNCTION public.films_between(a integer, b integer) OWNER TO postgres;

--
-- Name: nothing(); Type: PROCEDURE; Schema: public; Owner: postgres
--

CREATE PROCEDURE public.nothing()
    LANGUAGE sql
    AS $$ select 1 $$;


ALTER PROCEDURE public.nothing() OWNER TO postgres;

--
-- Name: touch(); Type: FUNCTION; Schema: public; Owner: postgres
--

CREATE FUNCTION public.touch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin new.updated = now(); return new; end $$;


ALTER FUNCTION public.touch() OWNER TO postgres;

--
-- Name: secrets; Type: TABLE; Schema: private; Owner: postgres
--

CREATE TABLE private.secrets (
    id integer NOT NULL
);


ALTER TABLE private.secrets OWNER TO postgres;

--
-- Name: actors; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.actors (
    id bigint NOT NULL,
    first_name text NOT NULL,
    "Last name" text
);


ALTER TABLE public.actors OWNER TO postgres;

--
-- Name: actors_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.actors_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.actors_id_seq OWNER TO postgres;

--
-- Name: actors_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.actors_id_seq OWNED BY public.actors.id;


--
-- Name: roles; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.roles (
    film_id integer NOT NULL,
    actor_id bigint NOT NULL,
    "character" text DEFAULT ''::text
);


ALTER TABLE public.roles OWNER TO postgres;

--
-- Name: credits; Type: VIEW; Schema: public; Owner: postgres
--

CREATE VIEW public.credits WITH (security_invoker='true') AS
 SELECT r."character",
    r.film_id
   FROM public.roles r;


ALTER TABLE public.credits OWNER TO postgres;

--
-- Name: directors; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.directors (
    id integer NOT NULL,
    name text NOT NULL,
    country character(2),
    born date,
    height real,
    homepage character varying(200) DEFAULT 'none'::character varying
);


ALTER TABLE public.directors OWNER TO postgres;

--
-- Name: directors_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.directors_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.directors_id_seq OWNER TO postgres;

--
-- Name: directors_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.directors_id_seq OWNED BY public.directors.id;


--
-- Name: film_count; Type: VIEW; Schema: public; Owner: postgres
--

CREATE VIEW public.film_count AS
 SELECT films.director_id,
    count(*) AS n
   FROM public.films
  GROUP BY films.director_id;


ALTER TABLE public.film_count OWNER TO postgres;

--
-- Name: films_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

ALTER TABLE public.films ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.films_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: idle; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.idle (
    id integer NOT NULL
);


ALTER TABLE public.idle OWNER TO postgres;

--
-- Name: log; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.log (
    at timestamp with time zone NOT NULL,
    note text
)
PARTITION BY RANGE (at);


ALTER TABLE public.log OWNER TO postgres;

--
-- Name: log_2024; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.log_2024 (
    at timestamp with time zone NOT NULL,
    note text
);


ALTER TABLE public.log_2024 OWNER TO postgres;

--
-- Name: members; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.members (
    team_id integer NOT NULL,
    user_id text NOT NULL,
    role text
);


ALTER TABLE public.members OWNER TO postgres;

--
-- Name: notes; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.notes (
    id integer NOT NULL,
    author uuid,
    body text,
    team integer,
    data jsonb,
    meta jsonb DEFAULT '{}'::jsonb
);


ALTER TABLE public.notes OWNER TO postgres;

--
-- Name: small; Type: VIEW; Schema: public; Owner: postgres
--

CREATE VIEW public.small AS
 SELECT notes.id AS "Number",
    notes.body
   FROM public.notes
  WHERE (NOT ((notes.body ~~ 'a%'::text) OR (notes.team IS DISTINCT FROM 3)))
  WITH CASCADED CHECK OPTION;


ALTER TABLE public.small OWNER TO postgres;

--
-- Name: of_view; Type: VIEW; Schema: public; Owner: postgres
--

CREATE VIEW public.of_view AS
 SELECT small."Number"
   FROM public.small;


ALTER TABLE public.of_view OWNER TO postgres;

--
-- Name: old; Type: MATERIALIZED VIEW; Schema: public; Owner: postgres
--

CREATE MATERIALIZED VIEW public.old AS
 SELECT films.id
   FROM public.films
  WHERE ((films.year)::integer < 1950)
  WITH NO DATA;


ALTER TABLE public.old OWNER TO postgres;

--
-- Name: recent_films; Type: VIEW; Schema: public; Owner: postgres
--

CREATE VIEW public.recent_films AS
 SELECT films.id,
    films.title AS name,
    films.year,
    films.director_id
   FROM public.films
  WHERE (((films.year)::integer >= 2000) AND (films.rating <> 'R'::public.rating));


ALTER TABLE public.recent_films OWNER TO postgres;

--
-- Name: todos; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.todos (
    id bigint NOT NULL,
    user_id text DEFAULT auth.uid(),
    team_id integer,
    title text,
    done boolean DEFAULT false NOT NULL,
    deleted_at timestamp with time zone
);


ALTER TABLE public.todos OWNER TO postgres;

--
-- Name: todos_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

ALTER TABLE public.todos ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.todos_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: log_2024; Type: TABLE ATTACH; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.log ATTACH PARTITION public.log_2024 FOR VALUES FROM ('2024-01-01 00:00:00+00') TO ('2025-01-01 00:00:00+00');


--
-- Name: actors id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.actors ALTER COLUMN id SET DEFAULT nextval('public.actors_id_seq'::regclass);


--
-- Name: directors id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.directors ALTER COLUMN id SET DEFAULT nextval('public.directors_id_seq'::regclass);


--
-- Name: secrets secrets_pkey; Type: CONSTRAINT; Schema: private; Owner: postgres
--

ALTER TABLE ONLY private.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (id);


--
-- Name: actors actors_name_check; Type: CHECK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE public.actors
    ADD CONSTRAINT actors_name_check CHECK ((first_name = lower(first_name))) NOT VALID;


--
-- Name: actors actors_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.actors
    ADD CONSTRAINT actors_pkey PRIMARY KEY (id);


--
-- Name: directors directors_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.directors
    ADD CONSTRAINT directors_pkey PRIMARY KEY (id);


--
-- Name: films films_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.films
    ADD CONSTRAINT films_pkey PRIMARY KEY (id);


--
-- Name: films films_slug_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.films
    ADD CONSTRAINT films_slug_key UNIQUE (slug);


--
-- Name: actors full_name; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.actors
    ADD CONSTRAINT full_name UNIQUE (first_name, "Last name");


--
-- Name: idle idle_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.idle
    ADD CONSTRAINT idle_pkey PRIMARY KEY (id);


--
-- Name: members members_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (team_id, user_id);


--
-- Name: notes notes_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.notes
    ADD CONSTRAINT notes_pkey PRIMARY KEY (id);


--
-- Name: roles roles_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.roles
    ADD CONSTRAINT roles_pkey PRIMARY KEY (film_id, actor_id);


--
-- Name: todos todos_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.todos
    ADD CONSTRAINT todos_pkey PRIMARY KEY (id);


--
-- Name: films_lower; Type: INDEX; Schema: public; Owner: postgres
--

CREATE UNIQUE INDEX films_lower ON public.films USING btree (lower((title)::text));


--
-- Name: films_meta; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX films_meta ON public.films USING gin (meta);


--
-- Name: films_uid; Type: INDEX; Schema: public; Owner: postgres
--

CREATE UNIQUE INDEX films_uid ON public.films USING btree (uid);


--
-- Name: films_year; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX films_year ON public.films USING btree (year, price);


--
-- Name: films touch; Type: TRIGGER; Schema: public; Owner: postgres
--

CREATE TRIGGER touch BEFORE UPDATE ON public.films FOR EACH ROW EXECUTE FUNCTION public.touch();


--
-- Name: films films_director_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.films
    ADD CONSTRAINT films_director_id_fkey FOREIGN KEY (director_id) REFERENCES public.directors(id) ON UPDATE RESTRICT ON DELETE CASCADE;


--
-- Name: films films_secret_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.films
    ADD CONSTRAINT films_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES private.secrets(id);


--
-- Name: roles roles_actor_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.roles
    ADD CONSTRAINT roles_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actors(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: roles roles_film_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.roles
    ADD CONSTRAINT roles_film_id_fkey FOREIGN KEY (film_id) REFERENCES public.films(id);


--
-- Name: actors; Type: ROW SECURITY; Schema: public; Owner: postgres
--

ALTER TABLE public.actors ENABLE ROW LEVEL SECURITY;

--
-- Name: members admins; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY admins ON public.members USING ((((auth.jwt() -> 'app_metadata'::text) ->> 'role'::text) = 'admin'::text));


--
-- Name: notes data; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY data ON public.notes FOR UPDATE USING (((data @> '{"open": true}'::jsonb) AND (team = ANY (ARRAY[1, 2]))));


--
-- Name: notes either; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY either ON public.notes TO authenticated USING (((author = (auth.uid())::uuid) OR (((auth.jwt() -> 'app_metadata'::text) ->> 'role'::text) = 'admin'::text)));


--
-- Name: notes guest; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY guest ON public.notes AS RESTRICTIVE TO authenticated USING ((((auth.jwt() ->> 'is_anonymous'::text))::boolean IS NOT TRUE));


--
-- Name: notes listed; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY listed ON public.notes FOR SELECT USING (('x'::text = ANY (string_to_array(body, ','::text))));


--
-- Name: todos live; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY live ON public.todos FOR SELECT USING ((((deleted_at IS NULL) AND done) OR (user_id = ((current_setting('request.jwt.claims'::text, true))::json ->> 'sub'::text))));


--
-- Name: members; Type: ROW SECURITY; Schema: public; Owner: postgres
--

ALTER TABLE public.members ENABLE ROW LEVEL SECURITY;

--
-- Name: todos mfa; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY mfa ON public.todos AS RESTRICTIVE FOR UPDATE TO authenticated USING (((auth.jwt() ->> 'aal'::text) = 'aal2'::text));


--
-- Name: notes namespaced; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY namespaced ON public.notes FOR DELETE USING (((auth.jwt() ->> 'https://example.com/role'::text) = 'owner'::text));


--
-- Name: idle never_asked; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY never_asked ON public.idle USING ((id > 1));


--
-- Name: notes; Type: ROW SECURITY; Schema: public; Owner: postgres
--

ALTER TABLE public.notes ENABLE ROW LEVEL SECURITY;

--
-- Name: todos own; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY own ON public.todos TO authenticated USING ((( SELECT auth.uid() AS uid) = user_id)) WITH CHECK ((auth.uid() = user_id));


--
-- Name: members self; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY self ON public.members FOR SELECT USING ((user_id = auth.uid()));


--
-- Name: todos strange; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY strange ON public.todos FOR INSERT WITH CHECK ((length(title) > 3));


--
-- Name: todos strange_restrictive; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY strange_restrictive ON public.todos AS RESTRICTIVE FOR DELETE USING ((length(title) > 3));


--
-- Name: todos team; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY team ON public.todos FOR SELECT USING ((EXISTS ( SELECT 1
   FROM public.members m
  WHERE ((m.team_id = todos.team_id) AND (m.user_id = auth.uid())))));


--
-- Name: todos team_in; Type: POLICY; Schema: public; Owner: postgres
--

CREATE POLICY team_in ON public.todos FOR SELECT TO authenticated USING ((team_id IN ( SELECT members.team_id
   FROM public.members
  WHERE ((members.user_id = auth.uid()) AND (members.role = 'owner'::text)))));


--
-- Name: todos; Type: ROW SECURITY; Schema: public; Owner: postgres
--

ALTER TABLE public.todos ENABLE ROW LEVEL SECURITY;

--
-- Name: SCHEMA public; Type: ACL; Schema: -; Owner: pg_database_owner
--

GRANT USAGE ON SCHEMA public TO anon;
GRANT USAGE ON SCHEMA public TO authenticated;


--
-- Name: TABLE films; Type: ACL; Schema: public; Owner: postgres
--

GRANT SELECT ON TABLE public.films TO PUBLIC;


--
-- Name: TABLE members; Type: ACL; Schema: public; Owner: postgres
--

GRANT ALL ON TABLE public.members TO authenticated;
GRANT ALL ON TABLE public.members TO service_role;


--
-- Name: TABLE todos; Type: ACL; Schema: public; Owner: postgres
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.todos TO authenticated;


--
-- Name: COLUMN todos.id; Type: ACL; Schema: public; Owner: postgres
--

GRANT SELECT(id) ON TABLE public.todos TO anon;


--
-- Name: COLUMN todos.title; Type: ACL; Schema: public; Owner: postgres
--

GRANT SELECT(title) ON TABLE public.todos TO anon;


--
-- PostgreSQL database dump complete
--

\unrestrict token

