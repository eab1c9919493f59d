package io.entroq.codec.command;

import org.agrona.DirectBuffer;

/** Reads a CallersGone. Everything that it returns is valid until the next wrap. */
public final class CallersGoneDecoder {
  private static final int ALL_TAG = 1 << 3 | WireReader.VARINT;
  private static final int CLIENTS_TAG = 2 << 3 | WireReader.LENGTH_DELIMITED;

  private final WireReader reader = new WireReader();
  private final ItemList<IdentityDecoder> clients = new ItemList<>(IdentityDecoder::new);
  private boolean all;

  /** A decoder of nothing until it is wrapped. */
  public CallersGoneDecoder() {}

  /**
   * Reads and checks a whole CallersGone.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    clients.clear();
    all = false;
    while (reader.hasNext()) {
      int tag = reader.tag("CallersGone");
      switch (tag) {
        case ALL_TAG -> all = reader.bool("CallersGone.all");
        case CLIENTS_TAG -> readClient();
        default -> reader.skip(tag, 2, "CallersGone");
      }
    }
    if (all && clients.count() != 0) {
      throw reader.malformed("CallersGone.clients", "given, although all are gone");
    }
  }

  private void readClient() {
    IdentityDecoder client = clients.add();
    client.clear();
    client.read(reader, "CallersGone.clients");
    client.checkClient(reader);
  }

  /** Whether everyone is gone; then no clients are named. */
  public boolean all() {
    return all;
  }

  /** How many clients are named. */
  public int clientCount() {
    return clients.count();
  }

  /** Upper half of the client at an index from 0. */
  public long clientHigh(int index) {
    return clients.get(index).clientHigh();
  }

  /** Lower half of the client at an index from 0. */
  public long clientLow(int index) {
    return clients.get(index).clientLow();
  }
}
