package io.entroq.system.member;

import io.entroq.api.process.ShortLived;
import io.entroq.engine.JvmFlags;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Command lines of JVMs with the class path of this one. */
public final class JavaCommand {
  /** The first JDK that warns about native access. */
  private static final int WARNING_JDK = 24;

  private JavaCommand() {}

  /** The command that starts a main class. */
  public static List<String> command(List<String> flags, Class<?> main, String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(JvmFlags.line().split(" ", 0)));
    command.addAll(ShortLived.FLAGS);
    command.addAll(List.of("-Xmx256m", "-ea:io.entroq..."));
    if (Runtime.version().feature() >= WARNING_JDK) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.add("-Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider");
    command.add("-Dslf4j.internal.verbosity=WARN");
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(Arrays.asList(args));
    return command;
  }
}
