package io.entroq.simulator.replica;

/** The session of one engine with the cluster, according to the log. */
final class Session {
  final long incarnation;

  private final MemberLife life;
  private boolean isOpen;
  private boolean isClosed;

  Session(MemberLife life, long incarnation) {
    this.life = life;
    this.incarnation = incarnation;
  }

  void open() {
    isOpen = true;
  }

  void close() {
    isOpen = false;
    isClosed = true;
  }

  boolean isOpen() {
    return isOpen;
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Whether both belong to one engine. */
  boolean isOfSame(Session other) {
    return life == other.life;
  }

  /** Whether the engine still uses it. */
  boolean isUsed() {
    return life.isLive() && life.link().isIn(this);
  }

  MemberLife life() {
    return life;
  }
}
