package io.entroq.client.transport;

import java.util.ArrayList;
import java.util.List;

/** Keeps what a request has come to. For one thread. */
final class RecordingReceiver<A> implements Receiver<A> {
  private final List<A> answers = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();
  private Runnable then = () -> {};

  /** Does something when it hears anything. */
  RecordingReceiver<A> then(Runnable newThen) {
    then = newThen;
    return this;
  }

  @Override
  public void onAnswer(A answer) {
    answers.add(answer);
    then.run();
  }

  @Override
  public void onFailure(Failure failure) {
    failures.add(failure);
    then.run();
  }

  boolean hasNone() {
    return answers.isEmpty() && failures.isEmpty();
  }

  /** The answer, which is all that was heard. */
  A answer() {
    if (answers.size() != 1 || !failures.isEmpty()) {
      throw new AssertionError("answers " + answers + ", failures " + failures);
    }
    return answers.get(0);
  }

  /** The failure, which is all that was heard. */
  Failure failure() {
    if (failures.size() != 1 || !answers.isEmpty()) {
      throw new AssertionError("answers " + answers + ", failures " + failures);
    }
    return failures.get(0);
  }
}
