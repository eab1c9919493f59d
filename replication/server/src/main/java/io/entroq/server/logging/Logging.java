package io.entroq.server.logging;

import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** Says how the process logs. Any thread. */
public final class Logging {
  private Logging() {}

  /**
   * Has libraries speak up only when something is wrong, once somebody logs. To be called before
   * anybody does; costs nothing until then.
   */
  public static void prepare() {
    if (System.getProperty("java.util.logging.config.file") == null) {
      System.setProperty("java.util.logging.config.class", AtFirst.class.getName());
      System.setProperty("java.util.logging.manager", ToTheEnd.class.getName());
    }
    // Found without a search, and whatever else there may be; and without a word about it.
    System.setProperty("slf4j.provider", "org.slf4j.jul.JULServiceProvider");
    System.setProperty("slf4j.internal.verbosity", "WARN");
  }

  /**
   * Logs in another way from now on.
   *
   * @param level of what this product logs; of libraries only what is wrong, whatever it is
   */
  public static void use(LogFormat format, LogLevel level) {
    Loggers.use(handler(format), level);
  }

  private static Handler handler(LogFormat format) {
    ConsoleHandler handler = new ConsoleHandler();
    handler.setLevel(Level.ALL);
    handler.setFormatter(format.formatter());
    try {
      handler.setEncoding(StandardCharsets.UTF_8.name());
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException("every Java platform has UTF-8", e);
    }
    return handler;
  }

  /** Apart, since to touch a logger is to start the logging. */
  private static final class Loggers {
    static final Logger ALL = Logger.getLogger("");

    /** Held here, since what is said about a logger is forgotten when nobody holds it. */
    static final Logger OURS = Logger.getLogger("io.entroq");

    static void use(Handler handler, LogLevel level) {
      for (Handler before : ALL.getHandlers()) {
        ALL.removeHandler(before);
      }
      ALL.addHandler(handler);
      ALL.setLevel(level == LogLevel.ERROR ? Level.SEVERE : Level.WARNING);
      OURS.setLevel(level.level());
    }
  }

  /** The logging of the JDK, but for its end: others have something to say while they end. */
  public static final class ToTheEnd extends LogManager {
    /** Called by name. */
    public ToTheEnd() {}

    @Override
    public void reset() {
      // Called when the process is asked to end, before it has come to that.
    }
  }

  /** What the logging of the JDK makes an object of when it starts. */
  public static final class AtFirst {
    /** Called by name. */
    public AtFirst() {
      use(LogFormat.TEXT, LogLevel.INFO);
    }
  }
}
