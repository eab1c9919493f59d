package io.entroq.engine.call;

import io.entroq.engine.request.RequestSlot;

/** The codecs of a slot, created on its first use by the API. On the thread that holds the slot. */
final class CallCodec {
  private final RequestEncoder encoder = new RequestEncoder();
  // Created on demand: thousands of claims may wait without a reply.
  private ReplyReader reader;

  private CallCodec() {}

  private static CallCodec of(RequestSlot slot) {
    if (slot.attachment() instanceof CallCodec codec) {
      return codec;
    }
    CallCodec codec = new CallCodec();
    slot.attach(codec);
    return codec;
  }

  static RequestEncoder encoder(RequestSlot slot) {
    return of(slot).encoder;
  }

  /** The result of a completed slot. */
  static ReplyReader reply(RequestSlot slot) {
    CallCodec codec = of(slot);
    if (codec.reader == null) {
      codec.reader = new ReplyReader();
    }
    return codec.reader.wrap(slot.replyBuffer(), slot.replyLength());
  }
}
