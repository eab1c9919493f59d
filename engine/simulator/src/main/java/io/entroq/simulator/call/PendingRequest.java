package io.entroq.simulator.call;

import io.entroq.simulator.call.Service.ReplyEnd;

/** A request that has arrived, and where its reply goes. */
public record PendingRequest(Request request, ReplyEnd replies) {
  public void reply(Reply reply) {
    replies.reply(request, reply);
  }
}
