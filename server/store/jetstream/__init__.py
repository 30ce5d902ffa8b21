"""The log port on a cluster of NATS servers with JetStream."""
