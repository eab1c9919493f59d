package io.entroq.codec.command;

import org.agrona.DirectBuffer;

/** Reads a Tick, which says nothing but that time has passed. */
public final class TickDecoder {
  private final WireReader reader = new WireReader();

  /** A decoder of nothing until it is wrapped. */
  public TickDecoder() {}

  /**
   * Reads and checks a whole Tick.
   *
   * @throws MalformedMessageException if it is not one
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    while (reader.hasNext()) {
      reader.skip(reader.tag("Tick"), 0, "Tick");
    }
  }
}
