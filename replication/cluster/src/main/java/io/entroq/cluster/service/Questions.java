package io.entroq.cluster.service;

import io.entroq.engine.state.StateMachine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** What others want to know of the state, asked on any thread and answered on the applying one. */
final class Questions {
  private final ConcurrentLinkedQueue<Question<?>> asked = new ConcurrentLinkedQueue<>();
  private volatile boolean isEnded;

  <T> CompletableFuture<T> ask(Function<StateMachine, T> question) {
    Question<T> one = new Question<>(question, new CompletableFuture<>());
    asked.add(one);
    if (isEnded) {
      end();
    }
    return one.answer;
  }

  /** Answers all. Applying thread. */
  int answer(StateMachine machine) {
    int done = 0;
    for (Question<?> one = asked.poll(); one != null; one = asked.poll()) {
      one.answer(machine);
      done++;
    }
    return done;
  }

  /** Nobody answers any more. */
  void end() {
    isEnded = true;
    for (Question<?> one = asked.poll(); one != null; one = asked.poll()) {
      one.answer.completeExceptionally(new IllegalStateException("the member has ended"));
    }
  }

  private record Question<T>(Function<StateMachine, T> question, CompletableFuture<T> answer) {
    void answer(StateMachine machine) {
      try {
        answer.complete(question.apply(machine));
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    }
  }
}
