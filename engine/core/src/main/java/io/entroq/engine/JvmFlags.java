package io.entroq.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The flags without which the engine's libraries cannot reach the memory and the files that they
 * map. Missing ones surface much later and under odd names, so they are asked for at the start.
 */
public final class JvmFlags {
  /** Packages of {@code java.base} that Agrona and Chronicle Queue call. */
  private static final List<String> EXPORTS =
      List.of("jdk.internal.misc", "sun.nio.ch", "jdk.internal.ref");

  /** Packages of {@code java.base} that Chronicle Queue reflects on. */
  private static final List<String> OPENS = List.of("java.lang.reflect");

  private JvmFlags() {}

  /**
   * Returns if this JVM was started as the engine needs it.
   *
   * @throws IllegalStateException with the line to add to the command that starts the JVM
   */
  public static void require() {
    List<String> missing = missing(Object.class.getModule(), JvmFlags.class.getModule());
    if (!missing.isEmpty()) {
      throw new IllegalStateException(message(missing));
    }
  }

  /** The line that gives a JVM all that the engine needs. */
  public static String line() {
    List<String> flags = new ArrayList<>();
    EXPORTS.forEach(name -> flags.add(flag("exports", name)));
    OPENS.forEach(name -> flags.add(flag("opens", name)));
    return String.join(" ", flags);
  }

  static List<String> missing(Module base, Module user) {
    List<String> missing = new ArrayList<>();
    for (String name : EXPORTS) {
      if (!base.isExported(name, user)) {
        missing.add(flag("exports", name));
      }
    }
    for (String name : OPENS) {
      if (!base.isOpen(name, user)) {
        missing.add(flag("opens", name));
      }
    }
    return missing;
  }

  static String message(List<String> missing) {
    return "This JVM was started without flags that the engine needs. Add to the java command line"
        + " (or to JDK_JAVA_OPTIONS): "
        + String.join(" ", missing);
  }

  private static String flag(String kind, String name) {
    return String.format(Locale.ROOT, "--add-%s=java.base/%s=ALL-UNNAMED", kind, name);
  }
}
