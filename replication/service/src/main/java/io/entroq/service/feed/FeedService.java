package io.entroq.service.feed;

import com.google.protobuf.Message;
import io.entroq.api.EntroQException;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.RangeRequest;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.FeatureReply;
import io.entroq.service.call.Handlers;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves feeds, and says so among the features of the server. */
final class FeedService extends ServiceFilter {
  private static final Logger LOG = LoggerFactory.getLogger(FeedService.class);
  private static final long FEATURE_FEED = 1 << 10;

  private final Feeds feeds;
  private final Handlers handlers;

  FeedService(Service next, Feeds feeds) {
    super(next);
    this.feeds = feeds;
    handlers = new Handlers().on(Method.TAIL, this::tail).on(Method.RANGE, this::range);
    if (facade() == Facade.V1) {
      handlers.on(
          Method.TIME,
          (context, request, reply) ->
              next.handle(Method.TIME, context, request, new FeatureReply(reply, FEATURE_FEED)));
    }
  }

  @Override
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    return handlers.handle(method, context, request, reply, next);
  }

  private Call tail(CallContext context, TailRequest request, Reply<TailResponse> reply) {
    try {
      return feeds.tail(context, request, reply);
    } catch (RefusedException e) {
      reply.fail(e.refusal().of(Method.TAIL.label()));
    } catch (EntroQException e) {
      reply.fail(Refusal.of(e).of(Method.TAIL.label()));
    }
    return Call.done();
  }

  private Call range(CallContext context, RangeRequest request, Reply<FeedRange> reply) {
    // It may read the disk.
    feeds.execute(() -> range(reply));
    return Call.done();
  }

  private void range(Reply<FeedRange> reply) {
    FeedRange range;
    try {
      range = feeds.range();
    } catch (RuntimeException | Error e) {
      LOG.error("What a feed can show was not found because of an internal error.", e);
      reply.fail(Refusal.FAULT);
      return;
    }
    reply.send(range);
  }
}
