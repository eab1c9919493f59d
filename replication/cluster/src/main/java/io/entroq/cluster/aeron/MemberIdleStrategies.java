package io.entroq.cluster.aeron;

/**
 * How the parts of a member wait, and whose work it is what one of them has done. A command goes
 * from part to part a dozen times until a majority has it; would each part look for it by itself,
 * it would have to look very often, or hold it up.
 *
 * <p>What comes over the network wakes nobody. So the driver looks for it often, while there are
 * commands.
 */
public final class MemberIdleStrategies {
  private final IngressActivity activity = new IngressActivity(System::nanoTime);
  private final WakeableIdleStrategy driver = ofNetwork();
  private final WakeableIdleStrategy archive = new WakeableIdleStrategy(() -> false);
  private final WakeableIdleStrategy consensus = new WakeableIdleStrategy(() -> false);
  private final WakeableIdleStrategy service = new WakeableIdleStrategy(() -> false);

  /**
   * @param isResponding whether the service answers over sessions
   */
  public MemberIdleStrategies(boolean isResponding) {
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
    service.onWork(isResponding ? this::sent : activity::raise);
  }

  public WakeableIdleStrategy driver() {
    return driver;
  }

  public WakeableIdleStrategy archive() {
    return archive;
  }

  public WakeableIdleStrategy consensus() {
    return consensus;
  }

  public WakeableIdleStrategy service() {
    return service;
  }

  /** For somebody else who waits for what comes over the network. */
  public WakeableIdleStrategy ofNetwork() {
    return new WakeableIdleStrategy(activity::isActive);
  }

  /** Something is to go over the network at once; any thread. */
  public void sent() {
    activity.raise();
    driver.wake();
  }
}
