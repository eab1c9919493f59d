package io.entroq.simulator.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A caller with an identity, and the receipts of his open requests by number. */
final class Client {
  /** Core 4.2: how many requests a client may have open. */
  static final int OPEN_REQUESTS_MAX = 1024;

  private final Key key;
  private final TreeMap<Long, Receipt> receipts = new TreeMap<>();
  private long ackedBelow = 1;
  private int parkedClaims;

  Client(Key key) {
    this.key = key;
  }

  Key key() {
    return key;
  }

  /** Core 4.2: receipts below what has arrived go at once. */
  void acknowledge(long below) {
    ackedBelow = Math.max(ackedBelow, below);
    receipts.headMap(ackedBelow).clear();
  }

  /** The claims below a number that wait, by their sequence, in the order of their numbers. */
  List<Long> parkedBelow(long below) {
    return receipts.headMap(below).values().stream()
        .filter(Receipt::isParked)
        .map(Receipt::parkedAt)
        .toList();
  }

  boolean isStale(long number) {
    return number < ackedBelow;
  }

  boolean isBeyondWindow(long number) {
    return number - ackedBelow >= OPEN_REQUESTS_MAX;
  }

  Receipt receipt(long number) {
    return receipts.get(number);
  }

  SortedMap<Long, Receipt> receipts() {
    return Collections.unmodifiableSortedMap(receipts);
  }

  void keep(long number, Receipt receipt) {
    if (!isStale(number)) {
      receipts.put(number, receipt);
    }
  }

  void drop(long number) {
    receipts.remove(number);
  }

  void claimParked() {
    parkedClaims++;
  }

  void claimEnded() {
    parkedClaims--;
  }

  boolean hasParkedClaims() {
    return parkedClaims > 0;
  }
}
