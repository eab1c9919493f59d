package io.entroq.cluster.member;

/**
 * How the parts of a member wait, and whose work it is what one of them has done. A command goes
 * from part to part a dozen times until a majority has it; would each part look for it by itself,
 * it would have to look very often, or hold it up.
 *
 * <p>What comes over the network wakes nobody. So the driver looks for it often, while there are
 * commands.
 */
final class PartIdles {
  private final Alertness alertness = new Alertness(System::nanoTime);
  private final PartIdle driver = ofNetwork();
  private final PartIdle archive = new PartIdle(() -> false);
  private final PartIdle consensus = new PartIdle(() -> false);
  private final PartIdle service = new PartIdle(() -> false);

  /**
   * @param isResponding whether the service answers over sessions
   */
  PartIdles(boolean isResponding) {
    driver.onWork(
        () -> {
          archive.wake();
          consensus.wake();
        });
    archive.onWork(consensus::wake);
    consensus.onWork(
        () -> {
          driver.wake();
          archive.wake();
          service.wake();
        });
    service.onWork(isResponding ? this::sent : alertness::raise);
  }

  PartIdle driver() {
    return driver;
  }

  PartIdle archive() {
    return archive;
  }

  PartIdle consensus() {
    return consensus;
  }

  PartIdle service() {
    return service;
  }

  /** For somebody else who waits for what comes over the network. */
  PartIdle ofNetwork() {
    return new PartIdle(alertness::isRaised);
  }

  /** Something is to go over the network at once; any thread. */
  void sent() {
    alertness.raise();
    driver.wake();
  }
}
