package io.entroq.engine.local;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.call.RequestFailures;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Listing;
import io.entroq.engine.gateway.Submission;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.result.Page;

/** A listing that a server takes page by page. */
final class GatewayListing implements Listing {
  private final Submitter submitter;
  private final RequestFailures failures;
  private final Page page;

  /** Not the slot's, which is released after each page. */
  private final ResultDecoder result = new ResultDecoder();

  GatewayListing(Submitter submitter, RequestFailures failures, Page page) {
    this.submitter = submitter;
    this.failures = failures;
    this.page = page;
  }

  @Override
  public Submission next(Completion completion) {
    RequestSlot slot = submitter.acquireNow(RequestKind.LIST, false, 0);
    return new GatewayRequest(submitter, slot, new CompletionAdapter(failures, completion, result))
        .send(buffer -> take(slot));
  }

  private int take(RequestSlot slot) {
    page.next();
    slot.page = page;
    return 0;
  }

  @Override
  public boolean isComplete() {
    return page.isLast();
  }
}
