package io.entroq.cluster.aeron;

/**
 * The idle strategies of a member's components. A command passes through a dozen threads before a
 * majority has it; each thread that has done work wakes the ones that continue with it, so that
 * none has to poll at a high rate.
 *
 * <p>Network input wakes no thread. The media driver polls for it often while commands arrive.
 */
public final class MemberIdleStrategies {
  private final IngressActivity activity = new IngressActivity(System::nanoTime);
  private final WakeableIdleStrategy driver = forNetwork();
  private final WakeableIdleStrategy archive = new WakeableIdleStrategy(() -> false);
  private final WakeableIdleStrategy consensus = new WakeableIdleStrategy(() -> false);
  private final WakeableIdleStrategy service = new WakeableIdleStrategy(() -> false);

  /**
   * @param isResponding whether the service replies over sessions
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
    service.onWork(isResponding ? this::onSent : activity::onCommands);
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

  /** A new strategy for a thread that waits for network input. */
  public WakeableIdleStrategy forNetwork() {
    return new WakeableIdleStrategy(activity::isActive);
  }

  /** Wakes the driver to send a message at once. Any thread. */
  public void onSent() {
    activity.onCommands();
    driver.wake();
  }
}
