package io.entroq.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to a database, such as {@code dataSource::getConnection}. Thread-safe. */
@FunctionalInterface
public interface Connector {
  /** A connection that nobody else uses meanwhile; the caller closes it. */
  Connection connect() throws SQLException;
}
