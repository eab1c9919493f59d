package io.entroq.perf.served;

import io.entroq.perf.fixture.DirectMemory;
import io.entroq.server.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The process of a server that is measured. Arguments: {@code echo}, perhaps with a file to force,
 * or a command line of {@code entroq}. For each line of input it collects garbage, and prints the
 * memory in use and how long its compilers have worked.
 */
final class ServerMain {
  /** What every server prints before its port. */
  static final String GREETING = "Starting EntroQ server ";

  /** The prefix of a line of figures. */
  static final String FIGURES = "memory ";

  private ServerMain() {}

  public static void main(String[] args) throws IOException {
    Thread figures = new Thread(ServerMain::printFigures, "figures");
    figures.setDaemon(true);
    figures.start();
    if (args[0].equals("echo")) {
      EchoServer echo =
          args.length == 1
              ? EchoServer.start()
              : EchoServer.start(ForcedFile.create(Path.of(args[1])));
      System.out.println(GREETING + echo.port() + " -> echo");
      echo.awaitEnd();
    } else {
      Main.main(args);
    }
  }

  private static void printFigures() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      while (lines.readLine() != null) {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long compiledMs = ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
        System.out.println(FIGURES + heap + " " + DirectMemory.bytes() + " " + compiledMs);
      }
      // The measuring process is gone.
      Runtime.getRuntime().halt(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
