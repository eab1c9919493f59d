/** beanstalkd as a peer: a server and its text protocol. */
package io.entroq.perf.peers.beanstalkd;
