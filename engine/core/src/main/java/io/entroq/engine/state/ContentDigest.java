package io.entroq.engine.state;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Digest;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.receipt.Receipt;

/** Recomputes the content digest from the stores, to check the one maintained incrementally. */
final class ContentDigest {

  private final Stores stores;
  private final Digest sum;
  private final Receipt receipt = new Receipt();

  private ContentDigest(Stores stores, Digest sum) {
    this.stores = stores;
    this.sum = sum;
  }

  static long of(Stores stores, TaskTable table, DocTable docTable) {
    ContentDigest content = new ContentDigest(stores, new Digest());
    content.addTasks(table);
    content.addDocs(docTable);
    content.addRememberedIds();
    content.addClients();
    return content.sum.content()
        + stores.policies.recomputedContent()
        + stores.ruled.recomputedContent();
  }

  /** Adds all receipts and parked claims to a sum. */
  static void addClients(Stores stores, Digest sum) {
    new ContentDigest(stores, sum).addClients();
  }

  private void addTasks(TaskTable table) {
    for (int queue = 0; queue < stores.queues.highWater(); queue++) {
      if (stores.queues.isAlive(queue)) {
        for (int i = 0; i < stores.queues.readyCount(queue); i++) {
          sum.add(table.hash(stores.ready.at(queue, i)));
        }
        for (int i = 0; i < stores.queues.waitingCount(queue); i++) {
          sum.add(table.hash(stores.arrivals.at(queue, i)));
        }
      }
    }
  }

  private void addDocs(DocTable table) {
    for (int doc = 0; doc < stores.docs.highWater(); doc++) {
      if (stores.docs.isAlive(doc)) {
        sum.add(table.hash(doc));
      }
    }
    for (int set = 0; set < stores.docSets.highWater(); set++) {
      if (stores.docSets.isAlive(set)) {
        sum.add(table.hashOfSet(set));
      }
    }
  }

  private void addRememberedIds() {
    for (int i = 0; i < stores.rememberedIds.size(); i++) {
      sum.add(stores.rememberedIds.hash(stores.rememberedIds.idAt(i)));
    }
  }

  private void addClients() {
    int client = stores.clients.first();
    for (; client != Slab.NONE; client = stores.clients.next(client)) {
      long from = stores.clients.ackedBelow(client);
      for (int i = 0; i < stores.clients.window(client); i++) {
        add(stores.clients.receipt(client, from + i));
      }
    }
  }

  private void add(long block) {
    if (block == Arena.NONE) {
      return;
    }
    receipt.wrap(stores.arena, block);
    sum.add(receipt.contentHash());
    if (receipt.code() == Receipt.CODE_PARKED) {
      sum.add(stores.waiters.contentHash(receipt.waiter()));
    }
  }
}
