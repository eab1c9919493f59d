package io.entroq.examples.ratelimit;

import io.entroq.api.Modification;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import java.io.IOException;

/** Calls the API for a task. */
final class ApiHandler implements Handler<String> {
  private final RemoteApi api;

  ApiHandler(RemoteApi api) {
    this.api = api;
  }

  @Override
  public Outcome handle(WorkContext<String> work) throws IOException {
    RemoteApi.Response response = api.call(work.value());
    if (response.status() == RemoteApi.TOO_MANY) {
      return Outcome.modify(
          Modification.fail(work.task(), "429", response.retryAfter())
              .and(Modification.pause(ApiLimits.API, response.retryAfter())));
    }
    return response.status() < 300 ? Outcome.done() : Outcome.retry("status " + response.status());
  }
}
