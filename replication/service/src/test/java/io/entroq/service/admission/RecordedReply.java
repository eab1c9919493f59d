package io.entroq.service.admission;

import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes what is answered. */
class RecordedReply<S> implements Reply<S> {
  final List<S> answers = new CopyOnWriteArrayList<>();
  final List<Refusal> refusals = new CopyOnWriteArrayList<>();
  volatile boolean isComplete;

  boolean isAnswered() {
    return answers.size() + refusals.size() > 0;
  }

  @Override
  public void position(long position) {}

  @Override
  public void send(S response) {
    answers.add(response);
  }

  @Override
  public void fail(Refusal refusal) {
    refusals.add(refusal);
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void complete() {
    isComplete = true;
  }
}
