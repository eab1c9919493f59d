package io.entroq.console.action;

/** Something that takes longer than a page waits. Any thread. */
public final class Job {
  /** What a job does, on a thread of its own. */
  @FunctionalInterface
  interface Work {
    /**
     * Does it, and looks from time to time whether it {@link Job#isStopping should end}.
     *
     * @return how it ended: a sentence
     */
    String run(Job job);
  }

  private final String id;
  private final String title;
  private final String user;
  private final long beganMs = System.currentTimeMillis();
  private volatile String progress = "It has begun.";
  private volatile boolean isStopping;

  /** 0 before. */
  private volatile long endedMs;

  Job(String id, String title, String user) {
    this.id = id;
    this.title = title;
    this.user = user;
  }

  /** Names it in URLs. */
  public String id() {
    return id;
  }

  /** What it does. */
  public String title() {
    return title;
  }

  /** Who has started it. */
  public String user() {
    return user;
  }

  /** When it began, in milliseconds since 1970. */
  public long beganMs() {
    return beganMs;
  }

  /** When it ended, in milliseconds since 1970; 0 before. */
  public long endedMs() {
    return endedMs;
  }

  /** How far it is, or how it ended: a sentence. */
  public String progress() {
    return progress;
  }

  void progress(String sentence) {
    progress = sentence;
  }

  /** Asks it to end. What it has done stays done. */
  void stop() {
    isStopping = true;
  }

  /** Whether it was asked to end. */
  public boolean isStopping() {
    return isStopping;
  }

  void end(String sentence) {
    progress = sentence;
    endedMs = System.currentTimeMillis();
  }

  /** Whether it has ended. */
  public boolean isOver() {
    return endedMs != 0;
  }
}
