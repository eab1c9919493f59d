package io.entroq.service.insight;

/** How long a point of a series is, and how many are kept. */
enum RateStep {
  /** Two minutes. */
  SECOND(1, 120),
  /** An hour. */
  TEN_SECONDS(10, 360),
  /** A day. */
  MINUTE(60, 1_440);

  private final int seconds;
  private final int points;

  RateStep(int seconds, int points) {
    this.seconds = seconds;
    this.points = points;
  }

  int seconds() {
    return seconds;
  }

  int points() {
    return points;
  }
}
