package io.entroq.simulator.world;

import io.entroq.api.Durability;
import io.entroq.simulator.call.Service;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.host.LifeListener;
import io.entroq.simulator.replica.Cluster;
import io.entroq.simulator.replica.ClusterTrouble;

/** Members that share a log. */
final class ServingCluster implements ServingSystem {
  private final Ledger ledger;
  private final Cluster cluster;
  private final ClusterTrouble trouble;

  ServingCluster(WorldContext setting, LifeListener listener) {
    ledger = new Ledger(LedgerConfig.of(Durability.OS, false));
    cluster =
        new Cluster(
            setting.config.members(),
            setting.events,
            setting.random.fork("cluster"),
            setting.faults,
            ledger,
            setting.trace,
            listener);
    trouble =
        new ClusterTrouble(setting.events, setting.random.fork("trouble"), cluster, setting.faults);
  }

  @Override
  public Service service() {
    return cluster;
  }

  @Override
  public Ledger ledger() {
    return ledger;
  }

  @Override
  public void open() {
    cluster.open();
  }

  @Override
  public void startTrouble() {
    trouble.start();
  }

  @Override
  public void endTrouble() {
    trouble.end();
  }

  @Override
  public void count() {
    cluster.count();
  }

  @Override
  public void requireAtRest() {
    cluster.requireAllCurrent();
  }

  @Override
  public void restart() {
    cluster.restart();
  }

  @Override
  public void switchOff() {
    cluster.switchOff();
  }
}
