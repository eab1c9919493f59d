package io.entroq.spring;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A PostgreSQL server that is killed; it forces what it commits to disk. */
final class KilledPostgres {
  private final Path directory;
  private final int port;

  private KilledPostgres(Path directory, int port) {
    this.directory = directory;
    this.port = port;
  }

  /** Whether it can run here: as root it needs user namespaces, which a container may forbid. */
  static boolean canRun() throws InterruptedException {
    if (!isRoot()) {
      return true;
    }
    try {
      return new ProcessBuilder("unshare", "-U", "true").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** Makes its binaries and its data. */
  static KilledPostgres create(Path directory, int port) throws IOException {
    EmbeddedPostgres.builder()
        .setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
        .setDataDirectory(directory.resolve("data"))
        .setCleanDataDirectory(false)
        .setPGStartupWait(Duration.ofSeconds(60))
        .setOutputRedirector(Redirect.DISCARD)
        .setErrorRedirector(Redirect.DISCARD)
        .start()
        .close();
    return new KilledPostgres(directory, port);
  }

  /** What starts it; a kill of that process is one of the server. */
  List<String> command() throws IOException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      // It refuses to run as root.
      command.addAll(List.of("unshare", "-U"));
    }
    command.addAll(
        List.of(binary().toString(), "-D", directory.resolve("data").toString(), "-p", "" + port));
    command.addAll(List.of("-c", "listen_addresses=localhost", "-c", "fsync=on"));
    command.addAll(List.of("-c", "synchronous_commit=on", "-c", "full_page_writes=on"));
    command.addAll(List.of("-c", "unix_socket_directories="));
    return command;
  }

  private Path binary() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("binaries"))) {
      return files.filter(file -> file.endsWith("bin/postgres")).findAny().orElseThrow();
    }
  }

  String url() {
    return "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres";
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }
}
