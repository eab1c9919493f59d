package io.entroq.server.logging;

import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** Configures the log of the process. Any thread. */
public final class Logging {
  private Logging() {}

  /**
   * Sets the defaults: libraries log only warnings and errors. Call this before anything is logged.
   * It does not start the logging system.
   */
  public static void prepare() {
    if (System.getProperty("java.util.logging.config.file") == null) {
      System.setProperty("java.util.logging.config.class", InitialConfig.class.getName());
      System.setProperty("java.util.logging.manager", PersistentLogManager.class.getName());
    }
    // Skips the search for a provider, and its messages.
    System.setProperty("slf4j.provider", "org.slf4j.jul.JULServiceProvider");
    System.setProperty("slf4j.internal.verbosity", "WARN");
  }

  /**
   * Changes format and level, for a server.
   *
   * @param level lowest level of EntroQ's own loggers; libraries log at most warnings and errors
   * @param wording rewrites every message; any thread
   */
  public static void use(LogFormat format, LogLevel level, UnaryOperator<String> wording) {
    Loggers.use(handler(format, wording), level);
    Loggers.GRPC.setLevel(null);
  }

  private static Handler handler(LogFormat format, UnaryOperator<String> wording) {
    ConsoleHandler handler = new ConsoleHandler();
    handler.setLevel(Level.ALL);
    handler.setFormatter(format.formatter(wording));
    try {
      handler.setEncoding(StandardCharsets.UTF_8.name());
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException("every Java platform has UTF-8", e);
    }
    return handler;
  }

  /** A separate class, since touching a logger starts the logging system. */
  private static final class Loggers {
    static final Logger ALL = Logger.getLogger("");

    /** Strong references: the JDK forgets the level of an unreferenced logger. */
    static final Logger OURS = Logger.getLogger("io.entroq");

    static final Logger GRPC = Logger.getLogger("io.grpc");

    static void use(Handler handler, LogLevel level) {
      for (Handler previous : ALL.getHandlers()) {
        ALL.removeHandler(previous);
      }
      ALL.addHandler(handler);
      ALL.setLevel(level == LogLevel.ERROR ? Level.SEVERE : Level.WARNING);
      OURS.setLevel(level.level());
    }
  }

  /** A log manager that keeps working until the end of the process. */
  public static final class PersistentLogManager extends LogManager {
    /** Called by the JDK, by reflection. */
    public PersistentLogManager() {}

    @Override
    public void reset() {
      // The JDK resets logging when shutdown starts, but other shutdown hooks still log.
    }
  }

  /** Sets the defaults, for commands. Instantiated by the JDK when logging starts. */
  public static final class InitialConfig {
    /** Called by the JDK, by reflection. */
    public InitialConfig() {
      Loggers.use(handler(LogFormat.TEXT, UnaryOperator.identity()), LogLevel.INFO);
      // It warns with stack traces of failed connections, which commands report in one line.
      Loggers.GRPC.setLevel(Level.SEVERE);
    }
  }
}
