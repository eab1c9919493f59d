package io.entroq.tools.importing;

/** Shows the progress of an import; called on its thread. */
public interface ImportView extends AutoCloseable {
  ImportView NONE = (what, done, total) -> {};

  /**
   * Reports progress.
   *
   * @param what name of the phase
   * @param total number of items when it began
   */
  void at(String what, long done, long total);

  @Override
  default void close() {}
}
