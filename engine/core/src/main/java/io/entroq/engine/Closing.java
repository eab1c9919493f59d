package io.entroq.engine;

import org.agrona.LangUtil;

/** Closes several resources, each of them even if closing another fails. */
public final class Closing {
  private Closing() {}

  /**
   * Closes each in order. What they throw, errors too, is thrown when all of them are done: the
   * first, with the others attached.
   *
   * @param each null where there is nothing to close
   */
  public static void all(AutoCloseable... each) {
    Throwable first = null;
    for (AutoCloseable one : each) {
      try {
        if (one != null) {
          one.close();
        }
      } catch (Throwable t) {
        first = joined(first, t);
      }
    }
    if (first != null) {
      LangUtil.rethrowUnchecked(first);
    }
  }

  /**
   * Closes each because something has gone wrong, which is what counts: what they throw is attached
   * to it.
   */
  public static void after(Throwable trouble, AutoCloseable... each) {
    try {
      all(each);
    } catch (Throwable t) {
      joined(trouble, t);
    }
  }

  private static Throwable joined(Throwable first, Throwable next) {
    if (first == null) {
      return next;
    }
    if (first != next) {
      first.addSuppressed(next);
    }
    return first;
  }
}
