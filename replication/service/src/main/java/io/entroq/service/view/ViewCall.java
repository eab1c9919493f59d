package io.entroq.service.view;

import com.google.protobuf.Message;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.View;
import io.entroq.engine.gateway.ViewException;
import io.entroq.service.call.AsOfHeader;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.ForwardingReply;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.SteppedCall;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call as of an earlier point: waits for the view, then calls its service, and uses the view
 * until it is answered.
 */
final class ViewCall<Q extends Message, S extends Message> extends ForwardingReply<S>
    implements Call {
  private static final Logger LOG = LoggerFactory.getLogger(ViewCall.class);

  private static final FeedEnd STOPPING =
      new FeedEnd(FeedEnd.Reason.CLOSED, "the server is shutting down; ask another member");

  private static final Refusal LATE =
      new Refusal(
          Status.Code.DEADLINE_EXCEEDED,
          AsOfHeader.NAME
              + ": the state as of then was not restored before the deadline; allow more time");

  private final Function<View, Service> past;
  private final ViewRefusals refusals;
  private final Method<Q, S> method;
  private final CallContext context;
  private final Q request;
  private final SteppedCall steps = new SteppedCall();

  /** The view while it is used. */
  private final AtomicReference<View> used = new AtomicReference<>();

  private volatile boolean isCancelled;

  /**
   * @param past makes the service of a view
   * @param context held
   */
  ViewCall(
      Function<View, Service> past,
      ViewRefusals refusals,
      Method<Q, S> method,
      CallContext context,
      Q request,
      Reply<S> reply) {
    super(reply);
    this.past = past;
    this.refusals = refusals;
    this.method = method;
    this.context = context;
    this.request = request;
  }

  Call start(CompletableFuture<View> asked) {
    steps.step(() -> new Opening(asked));
    OptionalLong deadlineNanos = context.deadlineNanos();
    if (deadlineNanos.isPresent() && !asked.isDone()) {
      asked.orTimeout(deadlineNanos.getAsLong() - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
    CompletableFuture<Void> unused =
        asked.handle(
            (view, failure) -> {
              if (failure == null) {
                call(view);
              } else if (!isCancelled) {
                fail(failure);
              }
              return null;
            });
    return this;
  }

  private void call(View view) {
    used.set(view);
    if (isCancelled) {
      release();
      return;
    }
    try {
      reply.metadata(AsOfHeader.NAME, AsOfHeader.value(view.sequence(), view.timeMs()));
      Service service = past.apply(view);
      steps.step(() -> service.handle(method, context, request, this));
    } catch (RuntimeException | Error e) {
      LOG.error("A call as of an earlier point met a fault of this server.", e);
      fail(Refusal.FAULT);
    }
  }

  private void fail(Throwable failure) {
    Refusal why;
    try {
      why = refusal(failure);
    } catch (RuntimeException | Error e) {
      // What is kept could not be looked up.
      LOG.error("A refusal as of an earlier point met a fault of this server.", e);
      why = Refusal.FAULT;
    }
    reply.fail(why);
  }

  private Refusal refusal(Throwable failure) {
    if (failure instanceof ViewException e) {
      return refusals.of(e.why());
    }
    if (failure instanceof TimeoutException) {
      return LATE;
    }
    LOG.error("A view was not opened because of a fault of this server.", failure);
    return Refusal.FAULT;
  }

  private void release() {
    View view = used.getAndSet(null);
    if (view != null) {
      view.close();
    }
  }

  /** The wait for the view. */
  private record Opening(CompletableFuture<View> asked) implements Call {
    @Override
    public void cancel() {
      asked.cancel(false);
    }

    @Override
    public void withdraw() {
      asked.completeExceptionally(new ViewException(STOPPING));
    }
  }

  // The transport.

  @Override
  public void cancel() {
    isCancelled = true;
    steps.cancel();
    release();
  }

  @Override
  public void withdraw() {
    steps.withdraw();
  }

  @Override
  public void delivered() {
    steps.delivered();
  }

  @Override
  public void ready() {
    steps.ready();
  }

  // The service of the view.

  @Override
  public boolean holds(long bytes) {
    boolean goesOn = super.holds(bytes);
    if (!goesOn) {
      // The call is made again, with another of these.
      release();
    }
    return goesOn;
  }

  @Override
  public void send(S response) {
    if (!method.isStream()) {
      release();
    }
    super.send(response);
  }

  @Override
  public void complete() {
    release();
    super.complete();
  }

  @Override
  public void fail(Refusal refusal) {
    release();
    super.fail(refusal);
  }
}
