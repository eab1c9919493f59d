package io.entroq.service.view;

import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.Views;
import io.entroq.service.call.AsOfHeader;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;

/** What to tell callers of a point that cannot be shown. May read from the disk. */
final class ViewRefusals {
  private final Views views;
  private final Optional<String> keepMore;

  /**
   * @param keepMore how to keep more than a restart needs; empty if more is kept
   */
  ViewRefusals(Views views, Optional<String> keepMore) {
    this.views = views;
    this.keepMore = keepMore;
  }

  Refusal of(FeedEnd why) {
    Refusal refusal =
        switch (why.reason()) {
          case OUT_OF_RANGE ->
              keepMore
                  .map(how -> outOfRange(Status.Code.FAILED_PRECONDITION, why.text() + ". " + how))
                  .orElseGet(() -> outOfRange(Status.Code.OUT_OF_RANGE, why.text()));
          case FUTURE -> outOfRange(Status.Code.OUT_OF_RANGE, why.text());
          case EXHAUSTED, SLOW -> Refusal.exhausted(why.text());
          case AWAY, CLOSED -> new Refusal(Status.Code.UNAVAILABLE, why.text());
          case OTHER_LOG, FAULT -> new Refusal(Status.Code.INTERNAL, why.text());
          case COMPLETE -> throw new IllegalStateException("not an error");
        };
    return refusal.of(AsOfHeader.NAME);
  }

  private Refusal outOfRange(Status.Code code, String text) {
    io.entroq.engine.gateway.FeedRange kept = views.kept();
    long first = kept.firstSequence();
    long last = kept.lastSequence();
    return new Refusal(
        code,
        "%s (first %d, last %d)".formatted(text, first, last),
        List.of(
            FeedRange.newBuilder()
                .setFirstSequence(first)
                .setLastSequence(last)
                .setFirstPoint(first <= last ? first : 0)
                .setFirstTimeMs(kept.firstTimeMs())
                .build()));
  }
}
