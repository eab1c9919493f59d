/**
 * Random commands to one state machine, skewed towards trouble: few names, so that requests
 * collide; wrong versions, leases of others, retries, late cancels, odd times and sizes. A ledger
 * checks every answer.
 *
 * <p>The generator looks at the machine to aim at tasks that exist; nothing else feeds it, so one
 * seed gives the same commands as long as the machine answers the same. One thread.
 */
package io.entroq.simulator.random;
