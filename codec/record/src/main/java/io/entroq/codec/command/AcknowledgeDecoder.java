package io.entroq.codec.command;

import org.agrona.DirectBuffer;

/** Reads an Acknowledge. Everything that it returns is valid until the next wrap. */
public final class AcknowledgeDecoder {
  private static final int CLIENTS_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;

  private final WireReader reader = new WireReader();
  private final ItemList<IdentityDecoder> clients = new ItemList<>(IdentityDecoder::new);

  /** A decoder of nothing until it is wrapped. */
  public AcknowledgeDecoder() {}

  /**
   * Reads and checks a whole Acknowledge.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    clients.clear();
    while (reader.hasNext()) {
      int tag = reader.tag("Acknowledge");
      switch (tag) {
        case CLIENTS_TAG -> readClient();
        default -> reader.skip(tag, 1, "Acknowledge");
      }
    }
  }

  private void readClient() {
    IdentityDecoder client = clients.add();
    client.clear();
    client.read(reader, "Acknowledge.clients");
    client.checkClient(reader);
    client.checkAckedBelow(reader);
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

  /** Every reply to a lower number of that client has arrived. From 1. */
  public long ackedBelow(int index) {
    return clients.get(index).ackedBelow();
  }
}
