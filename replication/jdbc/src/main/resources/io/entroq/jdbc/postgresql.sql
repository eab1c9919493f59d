-- Tables of entroq-jdbc in PostgreSQL, with the default prefix. Times are milliseconds since 1970, UTC.

-- Tasks on their way to the queue. A row with a problem is set aside.
CREATE TABLE IF NOT EXISTS entroq_outbox (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  created BIGINT NOT NULL,
  queue VARCHAR(1024) NOT NULL,
  task VARCHAR(1024) NOT NULL,
  json TEXT,
  bytes BYTEA,
  available_at BIGINT,
  delay_ms BIGINT,
  attempt INT NOT NULL,
  err TEXT NOT NULL,
  ttl_ms BIGINT,
  trace VARCHAR(64) NOT NULL,
  problem VARCHAR(1000)
);

-- One row: by what the relays of this outbox know each other in the queue.
CREATE TABLE IF NOT EXISTS entroq_outbox_identity (
  only_row INT PRIMARY KEY CHECK (only_row = 1),
  identity VARCHAR(36) NOT NULL
);

-- What has had its effects.
CREATE TABLE IF NOT EXISTS entroq_processed (
  id VARCHAR(36) PRIMARY KEY,
  created BIGINT NOT NULL,
  queue VARCHAR(1024) NOT NULL,
  task VARCHAR(1024) NOT NULL
);

CREATE INDEX IF NOT EXISTS entroq_processed_created ON entroq_processed (created);
