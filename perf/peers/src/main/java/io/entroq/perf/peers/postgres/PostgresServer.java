package io.entroq.perf.peers.postgres;

import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Settings;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.process.ProcessTree;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/**
 * A server from the binaries of an artifact, or else from installed ones. The library that starts
 * it uses a user namespace if this process runs as root.
 */
final class PostgresServer implements Server {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final EmbeddedPostgres postgres;
  private final DurabilityClass durability;
  private final Map<String, String> client;
  private final ProcessTree tree;
  private final String version;

  private PostgresServer(
      EmbeddedPostgres postgres, DurabilityClass durability, Settings settings, Path data)
      throws IOException, SQLException {
    this.postgres = postgres;
    this.durability = durability;
    client = settings.client();
    tree = new ProcessTree(postmaster(data));
    try (Connection connection = connect()) {
      check(connection, settings.server());
      version = connection.getMetaData().getDatabaseProductVersion();
    }
  }

  static PostgresServer start(DurabilityClass durability, Settings settings, Path directory)
      throws IOException, SQLException {
    Path data = directory.resolve("data");
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setPGStartupWait(START_LIMIT)
            .setRegisterShutdownHook(false)
            .setOutputRedirector(Redirect.appendTo(directory.resolve("out.log").toFile()))
            .setErrorRedirector(Redirect.appendTo(directory.resolve("err.log").toFile()));
    settings.server().forEach(builder::setServerConfig);
    EmbeddedPostgres postgres = builder.start();
    try {
      return new PostgresServer(postgres, durability, settings, data);
    } catch (IOException | SQLException | RuntimeException e) {
      postgres.close();
      throw e;
    }
  }

  private static ProcessHandle postmaster(Path data) throws IOException {
    long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
    return ProcessHandle.of(pid)
        .orElseThrow(() -> new IOException("there is no process " + pid + ", the postmaster"));
  }

  /** The starting library has defaults of its own, and some of them would lose data. */
  private static void check(Connection connection, Map<String, String> settings)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        try (ResultSet row = statement.executeQuery("SHOW " + setting.getKey())) {
          row.next();
          if (!row.getString(1).equals(setting.getValue())) {
            throw new SQLException(setting.getKey() + " is " + row.getString(1));
          }
        }
      }
    }
  }

  @Override
  public String version() {
    return version;
  }

  Connection connect() throws SQLException {
    return postgres.getDatabase("postgres", "postgres", client).getConnection();
  }

  @Override
  public LoadTarget createQueue(String name, Shape shape) throws SQLException {
    return PostgresQueue.create(this, name, durability == DurabilityClass.MEMORY);
  }

  @Override
  public boolean canPause() {
    return true;
  }

  @Override
  public void pause() throws IOException {
    tree.stop();
  }

  @Override
  public void resume() throws IOException {
    tree.resume();
  }

  /** Immediately, without writing files that will be removed. */
  @Override
  public void close() throws IOException {
    tree.resume();
    tree.quit();
    postgres.close();
  }
}
