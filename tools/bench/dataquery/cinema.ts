/** The same films, people and roles for both sides: made from a fixed seed, so that every run reads the same. */

import { sentence, uniform } from '../random.js';

export const FILMS = 50_000;
export const PEOPLE = 10_000;
export const ROLES_PER_FILM = 3;
/** One film of so many has none. */
const WITHOUT_ROLES = 50;

export interface Film {
  readonly id: number;
  readonly title: string;
  readonly year: number;
  readonly rating: number;
  readonly director_id: number;
  readonly plot: string;
}

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly born: number;
}

export interface Role {
  readonly film_id: number;
  readonly person_id: number;
  readonly character: string;
  readonly billing: number;
}

export const catalog = {
  exposed: ['public'],
  schemas: {
    public: {
      relations: {
        people: {
          columns: { id: required('integer'), name: required('text'), born: required('integer') },
          primaryKey: ['id'],
          indexes: [['name']],
        },
        films: {
          columns: {
            id: required('integer'),
            title: required('text'),
            year: required('integer'),
            rating: required('double precision'),
            director_id: required('integer'),
            plot: { ...required('text'), search: 'english' },
          },
          primaryKey: ['id'],
          foreignKeys: {
            films_director: { columns: ['director_id'], references: { relation: 'people', columns: ['id'] } },
          },
          indexes: [['year', 'id']],
        },
        roles: {
          columns: {
            film_id: required('integer'),
            person_id: required('integer'),
            character: required('text'),
            billing: required('integer'),
          },
          primaryKey: ['film_id', 'person_id'],
          foreignKeys: {
            roles_film: { columns: ['film_id'], references: { relation: 'films', columns: ['id'] } },
            roles_person: { columns: ['person_id'], references: { relation: 'people', columns: ['id'] } },
          },
        },
      },
    },
  },
};

/** The same in PostgreSQL, with the indexes that the catalog asks for and its keys imply. */
export const schema = `
create table people (id integer primary key, name text not null, born integer not null);
create table films (id integer primary key, title text not null, year integer not null,
  rating double precision not null, director_id integer not null references people, plot text not null);
create table roles (film_id integer not null references films, person_id integer not null references people,
  character text not null, billing integer not null, primary key (film_id, person_id));
create index on people (name);
create index on films (year, id);
create index on films (director_id);
create index on roles (film_id);
create index on roles (person_id);
create index on films using gin (to_tsvector('english', plot));
`;

function required(type: string): object {
  return { type, required: true };
}

export function people(): Person[] {
  return Array.from({ length: PEOPLE }, (_, at) => ({
    id: at + 1,
    name: `Person ${(at * 7_919) % PEOPLE}`,
    born: 1_900 + (at % 100),
  }));
}

export function films(): Film[] {
  const random = uniform(42);
  return Array.from({ length: FILMS }, (_, at) => ({
    id: at + 1,
    title: `Film number ${at + 1} about something`,
    year: 1_920 + Math.floor(random() * 105),
    rating: Math.round(random() * 100) / 10,
    director_id: 1 + Math.floor(random() * PEOPLE),
    // The first of 5,000 words is in most plots, the last in a few.
    plot: sentence(12, 5_000, random),
  }));
}

export function* roles(): Generator<Role> {
  for (let film = 1; film <= FILMS; film += 1) {
    if (film % WITHOUT_ROLES === 0) continue;
    for (let at = 0; at < ROLES_PER_FILM; at += 1) {
      yield {
        film_id: film,
        person_id: 1 + ((film * 31 + at * 6_007) % PEOPLE),
        character: `Character ${at + 1} of ${film}`,
        billing: at + 1,
      };
    }
  }
}
