package io.entroq.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the engine's libraries need of the JDK to reach the memory and the files that they map.
 * Missing access surfaces much later and under odd names, so it is asked for at the start.
 *
 * <p>The engine takes it for itself, unless the system property {@value #PROPERTY} is {@code flags}
 * or the JVM forbids it. Then flags of the JVM have to give it.
 */
public final class JvmFlags {
  /** If it is {@code flags}, the engine takes nothing that the JVM's flags do not give. */
  public static final String PROPERTY = "entroq.jdk.access";

  /** The value of the property for which nothing is taken. */
  private static final String FLAGS_ONLY = "flags";

  /** Packages of {@code java.base} that Agrona and Chronicle Queue call. */
  private static final List<String> EXPORTS =
      List.of("jdk.internal.misc", "sun.nio.ch", "jdk.internal.ref");

  /** Packages of {@code java.base} that Chronicle Queue reflects on. */
  private static final List<String> OPENS = List.of("java.lang.reflect");

  private JvmFlags() {}

  /**
   * Returns if the engine can work in this JVM.
   *
   * @throws IllegalStateException with the line to add to the command that starts the JVM
   */
  public static void require() {
    Module base = Object.class.getModule();
    Module user = JvmFlags.class.getModule();
    if (missing(base, user).isEmpty()) {
      return;
    }
    boolean mayTake = !FLAGS_ONLY.equals(System.getProperty(PROPERTY));
    Throwable forbidden = null;
    if (mayTake) {
      try {
        JdkAccess.give(base, EXPORTS, OPENS);
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        forbidden = e;
      }
    }
    List<String> missing = missing(base, user);
    if (!missing.isEmpty()) {
      throw new IllegalStateException(message(missing, mayTake), forbidden);
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

  static String message(List<String> missing, boolean mayTake) {
    return "The engine needs packages of the JDK that this JVM has not opened, and "
        + (mayTake
            ? "this JVM does not let it open them"
            : "-D%s=%s forbids it to open them".formatted(PROPERTY, FLAGS_ONLY))
        + ". Add to the java command line (or to JDK_JAVA_OPTIONS): "
        + String.join(" ", missing);
  }

  private static String flag(String kind, String name) {
    return String.format(Locale.ROOT, "--add-%s=java.base/%s=ALL-UNNAMED", kind, name);
  }
}
