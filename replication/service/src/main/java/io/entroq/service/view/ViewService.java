package io.entroq.service.view;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.gateway.View;
import io.entroq.engine.gateway.Views;
import io.entroq.service.call.AsOfHeader;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.FeatureReply;
import io.entroq.service.call.ForwardingReply;
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
  private final Optional<String> keepMore;

  /**
   * Adds views to a service.
   *
   * @param next of the present
   * @param views of the same queue; empty if nothing is kept
   * @param past makes the service of a view, of the same API
   */
  public ViewService(Service next, Optional<Views> views, Function<View, Service> past) {
    this(next, views, past, Optional.empty());
  }

  /**
   * The same where little may be kept.
   *
   * @param keepMore how to keep more than a restart needs, in a sentence; empty if more is kept
   */
  public ViewService(
      Service next,
      Optional<Views> views,
      Function<View, Service> past,
      Optional<String> keepMore) {
    super(next);
    this.views = views;
    this.past = past;
    this.keepMore = keepMore;
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    Optional<HistoryPoint> point;
    try {
      point = AsOfHeader.of(method, context);
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
    ViewRefusals refusals = new ViewRefusals(views.get(), keepMore);
    return new ViewCall<>(past, refusals, method, context.held(HEADERS), request, announced)
        .start(views.get().open(point.get()));
  }

  // The reply of a method gets its responses.
  @SuppressWarnings("unchecked")
  private <S extends Message> Reply<S> announced(Method<?, S> method, Reply<S> reply) {
    if (views.isEmpty() || facade() == Facade.V0) {
      return reply;
    }
    if ((Object) method == Method.TIME) {
      return (Reply<S>) new FeatureReply((Reply<TimeResponse>) reply, FEATURE_AS_OF);
    }
    return (Object) method == Method.RANGE
        ? (Reply<S>) new PointsReply((Reply<FeedRange>) reply, views.get())
        : reply;
  }

  /** Adds the first point to what a feed can show. Range is answered where the disk may be read. */
  private static final class PointsReply extends ForwardingReply<FeedRange> {
    private final Views views;

    PointsReply(Reply<FeedRange> reply, Views views) {
      super(reply);
      this.views = views;
    }

    @Override
    public void send(FeedRange range) {
      io.entroq.engine.gateway.FeedRange kept = views.kept();
      boolean isAny = kept.firstSequence() <= kept.lastSequence();
      super.send(range.toBuilder().setFirstPoint(isAny ? kept.firstSequence() : 0).build());
    }
  }
}
