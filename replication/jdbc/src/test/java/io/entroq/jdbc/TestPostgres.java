package io.entroq.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A PostgreSQL server from the binaries of an artifact. The library that starts it uses a user
 * namespace if this process runs as root.
 */
final class TestPostgres implements AutoCloseable {
  private final EmbeddedPostgres server;

  private TestPostgres(EmbeddedPostgres server) {
    this.server = server;
  }

  /** Whether it can run here: as root it needs user namespaces, which a container may forbid. */
  static boolean canRun() throws InterruptedException {
    if (!System.getProperty("user.name").equals("root")) {
      return true;
    }
    try {
      return new ProcessBuilder("unshare", "-U", "true").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Starts it. Nobody kills it, so it need not force anything to disk, which is the default here.
   */
  static TestPostgres start(Path directory) throws IOException {
    return new TestPostgres(
        EmbeddedPostgres.builder()
            .setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
            .setDataDirectory(directory.resolve("data"))
            .setCleanDataDirectory(false)
            .setPGStartupWait(Duration.ofSeconds(60))
            .setOutputRedirector(Redirect.DISCARD)
            .setErrorRedirector(Redirect.DISCARD)
            .start());
  }

  String url() {
    return server.getJdbcUrl("postgres", "postgres") + "&reWriteBatchedInserts=true";
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
