package io.entroq.tools.importing;

/** Sees how far it has come, on the thread that runs it. */
public interface ImportView extends AutoCloseable {
  /** Sees nothing. */
  ImportView NONE = (what, done, total) -> {};

  /**
   * So much has been looked at.
   *
   * @param what is being done, in a word
   * @param total how much there was when it began
   */
  void at(String what, long done, long total);

  /** It has come to an end. */
  @Override
  default void close() {}
}
