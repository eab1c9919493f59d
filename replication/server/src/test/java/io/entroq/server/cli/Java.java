package io.entroq.server.cli;

import io.entroq.api.process.ShortLived;
import io.entroq.engine.JvmFlags;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts JVMs. */
public final class Java {
  /** The first JDK that prints warnings about libraries to standard error. */
  private static final int WARNING_JDK = 24;

  private Java() {}

  /** Starts a JVM with the flags and classes of this one. */
  static Process start(Class<?> main, String... args) throws IOException {
    return command(main, args).start();
  }

  /** A builder of a JVM with the flags and classes of this one. */
  public static ProcessBuilder command(Class<?> main, String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JvmFlags.line().split(" ", 0)));
    command.addAll(ShortLived.FLAGS);
    if (Runtime.version().feature() >= WARNING_JDK) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    // The command line has its own logging, which must not mix with that of tests.
    command.add("-Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider");
    command.add("-Dslf4j.internal.verbosity=WARN");
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    String classes = System.getProperty("java.class.path");
    if (main == Main.class && ClassData.isThere()) {
      command.addAll(ClassData.flags());
      classes = ClassData.JAR + File.pathSeparator + classes;
    }
    command.addAll(List.of("-cp", classes, main.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command);
  }

  /**
   * The arguments of a command that receives SIGINT. A shell makes its background jobs and their
   * children ignore that signal.
   */
  public static List<String> hearingInterrupt(ProcessBuilder command) {
    List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT"));
    words.addAll(command.command());
    return words;
  }
}
