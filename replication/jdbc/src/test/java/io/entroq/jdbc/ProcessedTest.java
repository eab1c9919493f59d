package io.entroq.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/** With H2, in this process. */
class ProcessedTest extends ProcessedTests {
  private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

  @Override
  Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }
}
