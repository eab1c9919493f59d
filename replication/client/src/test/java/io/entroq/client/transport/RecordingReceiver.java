package io.entroq.client.transport;

import java.util.ArrayList;
import java.util.List;

/** Records the outcome of a request. For one thread. */
final class RecordingReceiver<A> implements Receiver<A> {
  private final List<A> answers = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();
  private Runnable then = () -> {};

  /** Runs an action on each outcome. */
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

  /** The only outcome, which must be an answer. */
  A answer() {
    if (answers.size() != 1 || !failures.isEmpty()) {
      throw new AssertionError("answers " + answers + ", failures " + failures);
    }
    return answers.get(0);
  }

  /** The only outcome, which must be a failure. */
  Failure failure() {
    if (failures.size() != 1 || !answers.isEmpty()) {
      throw new AssertionError("answers " + answers + ", failures " + failures);
    }
    return failures.get(0);
  }
}
