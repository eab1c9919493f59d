package io.entroq.system.scenario;

/**
 * Something that befalls a cluster, and is over when it returns, but for what members do by then.
 */
@FunctionalInterface
interface Fault {
  /**
   * Brings it about.
   *
   * @param stage where, and by which chance
   */
  void befall(Stage stage) throws Exception;
}
