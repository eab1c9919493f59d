package io.entroq.simulator.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A lie that is detected. */
public final class Broken {
  private Broken() {}

  /** Fails unless exactly this invariant is reported. */
  public static void assertBroken(Invariant invariant, ThrowingCallable lie) {
    assertThatThrownBy(lie)
        .isInstanceOfSatisfying(
            Violation.class,
            seen -> assertThat(seen.rule()).as(seen.getMessage()).isEqualTo(invariant.label()));
  }
}
