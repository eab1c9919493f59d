package io.entroq.cluster.service;

import io.entroq.api.EntroQException;
import io.entroq.engine.state.StateMachine;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What others want to know of the state, asked on any thread and answered on the applying one. */
final class StateQueries {
  private static final int ASKED_MAX = 1_024;

  private final BlockingQueue<Question<?>> asked = new ArrayBlockingQueue<>(ASKED_MAX);
  private volatile boolean isEnded;

  <T> CompletableFuture<T> ask(Function<StateMachine, T> question) {
    Question<T> one = new Question<>(question, new CompletableFuture<>());
    if (!asked.offer(one)) {
      one.answer.completeExceptionally(
          new EntroQException.ResourceExhausted(
              ASKED_MAX + " questions wait for the state of this member, as many as may"));
    } else if (isEnded) {
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

  /** Nobody answers any more. Any thread, any number of times. */
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
      } catch (RuntimeException | Error e) {
        answer.completeExceptionally(e);
      }
    }
  }
}
