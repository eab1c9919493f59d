-- Tables of entroq-jdbc in MySQL and MariaDB, with the default prefix. Times are milliseconds since 1970, UTC.

-- Tasks on their way to the queue. A row with a problem is set aside.
CREATE TABLE IF NOT EXISTS entroq_outbox (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  created BIGINT NOT NULL,
  queue VARCHAR(1024) NOT NULL,
  task VARCHAR(1024) NOT NULL,
  json LONGTEXT,
  bytes LONGBLOB,
  available_at BIGINT,
  delay_ms BIGINT,
  attempt INT NOT NULL,
  err LONGTEXT NOT NULL,
  ttl_ms BIGINT,
  trace VARCHAR(64) NOT NULL,
  problem VARCHAR(1000)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- One row: by what the relays of this outbox know each other in the queue.
CREATE TABLE IF NOT EXISTS entroq_outbox_identity (
  only_row INT NOT NULL PRIMARY KEY CHECK (only_row = 1),
  identity VARCHAR(36) NOT NULL
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What has had its effects.
CREATE TABLE IF NOT EXISTS entroq_processed (
  id VARCHAR(36) NOT NULL PRIMARY KEY,
  created BIGINT NOT NULL,
  queue VARCHAR(1024) NOT NULL,
  task VARCHAR(1024) NOT NULL,
  INDEX entroq_processed_created (created)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
