package io.entroq.server.cli;

import io.entroq.api.process.ShortLived;
import io.entroq.engine.JvmFlags;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processes of their own. */
public final class Java {
  /** The first JDK that warns of what libraries do, on the output for errors. */
  private static final int WARNING_JDK = 24;

  private Java() {}

  /** Starts a JVM with the flags and the classes of this one. */
  static Process start(Class<?> main, String... args) throws IOException {
    return command(main, args).start();
  }

  /** What starts a JVM with the flags and the classes of this one. */
  public static ProcessBuilder command(Class<?> main, String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JvmFlags.line().split(" ", 0)));
    command.addAll(ShortLived.FLAGS);
    if (Runtime.version().feature() >= WARNING_JDK) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    // The command line has its own, and is not disturbed by that of tests.
    command.add("-Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider");
    command.add("-Dslf4j.internal.verbosity=WARN");
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command);
  }

  /**
   * The words of a command that hears SIGINT. Whoever runs the tests in the background of a shell
   * has that signal ignored, and so have its children.
   */
  public static List<String> hearingInterrupt(ProcessBuilder command) {
    List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT"));
    words.addAll(command.command());
    return words;
  }
}
