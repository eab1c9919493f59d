package io.entroq.service.view;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.gateway.View;
import io.entroq.engine.gateway.Views;
import io.entroq.service.call.AsOfHeader;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.FeatureReply;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Hands calls that name an earlier point in {@link AsOfHeader} to a service of the state as of
 * then, and says among the features of the server that it does.
 */
public final class ViewService extends ServiceFilter {
  private static final long FEATURE_AS_OF = 1 << 13;

  private static final Refusal NO_HISTORY =
      new Refusal(
          Status.Code.FAILED_PRECONDITION,
          AsOfHeader.NAME
              + ": this server keeps no history: it needs --data, and --mirror at a member");

  /** A position is of the present, and no state of the past waits for it. */
  private static final Set<String> HEADERS = Set.of();

  private final Optional<Views> views;
  private final Function<View, Service> past;
  private final Function<FeedEnd, Refusal> refusals;

  /**
   * Adds views to a service.
   *
   * @param next of the present
   * @param views of the same queue; empty if nothing is kept
   * @param past makes the service of a view, of the same API
   * @param refusals what to tell callers why a point cannot be shown
   */
  public ViewService(
      Service next,
      Optional<Views> views,
      Function<View, Service> past,
      Function<FeedEnd, Refusal> refusals) {
    super(next);
    this.views = views;
    this.past = past;
    this.refusals = refusals;
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    Optional<HistoryPoint> point;
    try {
      AsOfHeader.check(method, context);
      point = AsOfHeader.of(context);
    } catch (RefusedException e) {
      reply.fail(e.refusal().of(method.label()));
      return Call.done();
    }
    Reply<S> announced = announced(method, reply);
    if (point.isEmpty()) {
      return next.handle(method, context, request, announced);
    }
    if (views.isEmpty()) {
      reply.fail(NO_HISTORY);
      return Call.done();
    }
    return new ViewCall<>(past, refusals, method, context.held(HEADERS), request, announced)
        .start(views.get().open(point.get()));
  }

  // A reply of Time gets responses of Time.
  @SuppressWarnings("unchecked")
  private <S extends Message> Reply<S> announced(Method<?, S> method, Reply<S> reply) {
    boolean isTime = (Object) method == Method.TIME;
    return isTime && views.isPresent() && facade() == Facade.V1
        ? (Reply<S>) new FeatureReply((Reply<TimeResponse>) reply, FEATURE_AS_OF)
        : reply;
  }
}
