package io.entroq.simulator.replica;

/** The connection of one engine to the cluster, as the log sees it. */
final class Session {
  /** Of the engine that has it. */
  final long incarnation;

  private final MemberLife life;
  private boolean isOpen;
  private boolean isClosed;

  Session(MemberLife life, long incarnation) {
    this.life = life;
    this.incarnation = incarnation;
  }

  /** The log says that it has begun. */
  void open() {
    isOpen = true;
  }

  /** The log says that it has come to an end. */
  void close() {
    isOpen = false;
    isClosed = true;
  }

  /** Whether it has begun and not ended. */
  boolean isOpen() {
    return isOpen;
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Whether both are of one engine. */
  boolean isOfSame(Session other) {
    return life == other.life;
  }

  /** Whether whoever has it still uses it. */
  boolean isUsed() {
    return life.isLive() && life.link().isIn(this);
  }

  MemberLife life() {
    return life;
  }
}
